import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  readFile,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from '../error-code.ts'
import { isAbsence } from './absence.ts'
import { withLockFile } from './lock-file.ts'
import { makeFolderWithin, openWithin, refuseLinks } from './within-folder.ts'

const APPEND_FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT
const NEWLINE = 0x0a
const MAX_TRIES = 10

export interface Within {
  /** A folder that may be untrusted: from there on no symbolic link is followed. Default: the file's folder. */
  within?: string
}

export interface AppendOptions extends Within {
  /** A file that would exceed this is renamed to `<file>.1`, replacing the previous one. None: unlimited. */
  maxBytes?: number
  /** For lines that may be duplicated but never lost: `compactJsonl` needs this from every writer. */
  survivesCompaction?: boolean
}

/**
 * Appends one line, readable by the owner only; creates its folder, but none above it. Several processes may append to
 * one file: a line is one write, which the system appends atomically. Throws system errors, such as a full disk.
 */
export function appendJsonl(file: string, value: object, options: AppendOptions = {}): void {
  const line = Buffer.from(`${JSON.stringify(value)}\n`)
  const { maxBytes, within = dirname(file) } = options
  refuseLinks(within, file)
  if (maxBytes !== undefined) rotateWhenFull(file, line.length, maxBytes)
  appendLine(file, line, { ...options, within })
}

/** Like `appendJsonl`, for lines that are already text, with line ends. */
export function appendLine(
  file: string,
  line: Buffer,
  { survivesCompaction = false, within = dirname(file) }: Omit<AppendOptions, 'maxBytes'>,
): void {
  for (let tries = 1; ; tries++) {
    const handle = openForAppending(file, within)
    try {
      writeAtEnd(handle, line)
      if (!survivesCompaction || isStillAt(file, handle) || tries === MAX_TRIES) return
    } finally {
      closeSync(handle)
    }
  }
}

function openForAppending(file: string, within: string): number {
  try {
    return openWithin(within, file, APPEND_FLAGS)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    // Not those above it: a folder that was moved away must not reappear with only this file in it.
    makeFolderWithin(within, dirname(file))
    return openWithin(within, file, APPEND_FLAGS)
  }
}

function writeAtEnd(handle: number, line: Buffer): void {
  // A process may have died in the middle of a line. Without a line end it would corrupt ours.
  const bytes = endsWithin(handle) ? Buffer.concat([Buffer.of(NEWLINE), line]) : line
  const written = writeSync(handle, bytes)
  // The rest in a second write might come after the line of another process.
  if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes were written`)
}

function endsWithin(handle: number): boolean {
  const { size } = fstatSync(handle)
  const last = Buffer.alloc(1)
  return size > 0 && readSync(handle, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE
}

/** Whether the name still refers to the opened file. */
export function isStillAt(file: string, handle: number): boolean {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false })
  const opened = fstatSync(handle, { bigint: true })
  return stats !== undefined && stats.ino === opened.ino && stats.dev === opened.dev
}

/** One process at a time, checking again: otherwise the second would replace the full file with the fresh one. */
function rotateWhenFull(file: string, lineBytes: number, maxBytes: number): void {
  const isFull = (): boolean => {
    const size = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0
    return size > 0 && size + lineBytes > maxBytes
  }
  if (!isFull()) return
  // A process that comes during a rotation appends to the current file.
  withLockFile(`${file}.lock`, () => {
    if (isFull()) moveAway(file)
  })
}

function moveAway(file: string): void {
  try {
    renameSync(file, `${file}.1`)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

export interface JsonlLine {
  value: unknown
  /** As in the file, without its line end. */
  text: string
}

/** The lines of a file, oldest first; empty if there is none. Lines that are not JSON are skipped, however long. */
export async function readJsonl(file: string, options: Within = {}): Promise<unknown[]> {
  const bytes = await readIfThere(file, options)
  return bytes === undefined ? [] : [...jsonlLines(bytes)].map(({ value }) => value)
}

async function readIfThere(file: string, { within = dirname(file) }: Within): Promise<Buffer | undefined> {
  let handle: number | undefined
  try {
    if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined
    handle = openWithin(within, file, constants.O_RDONLY)
    return await promisify(readFile)(handle)
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

/** Includes a complete last line without its line end. */
export function* jsonlLines(bytes: Buffer): Generator<JsonlLine> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from)
    const to = end === -1 ? bytes.length : end
    const line = to > from ? parseLine(bytes.subarray(from, to)) : undefined
    if (line) yield line
    from = to + 1
  }
}

function parseLine(bytes: Buffer): JsonlLine | undefined {
  try {
    const text = bytes.toString('utf8')
    return { value: JSON.parse(text), text }
  } catch {
    // Torn by a crash, or longer than a string can be. The lines after it still count.
    return undefined
  }
}
