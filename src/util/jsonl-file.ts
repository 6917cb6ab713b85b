import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isAbsence } from './absence.ts'
import { hasCode } from './error-code.ts'
import { withLockFile } from './lock-file.ts'

/** A folder may come from somebody's repository: a link in it must not make us write, or read, elsewhere. */
const NO_LINK = constants.O_NOFOLLOW ?? 0
const APPEND_FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | NO_LINK
/** Without waiting for the other end of a pipe. */
const READ_FLAGS = constants.O_RDONLY | NO_LINK | (constants.O_NONBLOCK ?? 0)
const NEWLINE = 0x0a
const MAX_TRIES = 10

export interface AppendOptions {
  /** A file that would grow beyond this becomes `<file>.1`, in the place of the one before. None: it grows. */
  maxBytes?: number
  /** For lines that may stand there twice but never not at all: what `compactJsonl` needs of everybody who appends. */
  survivesCompaction?: boolean
}

/**
 * Adds one line, for the owner only; makes its folder, but none above that. Several processes may append to one file: a line
 * is one write, which the system puts at the end as a whole. Throws what the system says, such as that the disk is full.
 */
export function appendJsonl(file: string, value: object, options: AppendOptions = {}): void {
  const line = Buffer.from(`${JSON.stringify(value)}\n`)
  if (options.maxBytes !== undefined) rotateWhenFull(file, line.length, options.maxBytes)
  appendLine(file, line, options.survivesCompaction === true)
}

/** As `appendJsonl`, for lines that are text already, with their ends. */
export function appendLine(file: string, line: Buffer, survivesCompaction: boolean): void {
  for (let tries = 1; ; tries++) {
    const handle = openForAppending(file)
    try {
      writeAtEnd(handle, line)
      if (!survivesCompaction || isStillAt(file, handle) || tries === MAX_TRIES) return
    } finally {
      closeSync(handle)
    }
  }
}

function openForAppending(file: string): number {
  try {
    return openSync(file, APPEND_FLAGS, 0o600)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    makeFolder(dirname(file))
    return openSync(file, APPEND_FLAGS, 0o600)
  }
}

/** Not those above it: who moved a whole folder away does not want it back with nothing but this file in it. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process was faster.
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

function writeAtEnd(handle: number, line: Buffer): void {
  // Somebody may have died in the middle of a line. Without an end of its own it would take ours with it.
  const bytes = endsWithin(handle) ? Buffer.concat([Buffer.of(NEWLINE), line]) : line
  const written = writeSync(handle, bytes)
  // The rest in a second write might land behind the line of another process.
  if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes were written`)
}

function endsWithin(handle: number): boolean {
  const { size } = fstatSync(handle)
  const last = Buffer.alloc(1)
  return size > 0 && readSync(handle, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE
}

/** Whether the name still leads to what was opened by it. */
export function isStillAt(file: string, handle: number): boolean {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false })
  const opened = fstatSync(handle, { bigint: true })
  return stats !== undefined && stats.ino === opened.ino && stats.dev === opened.dev
}

/** One process at a time, and looking again: else the second would put the fresh file in the place of the full one. */
function rotateWhenFull(file: string, lineBytes: number, maxBytes: number): void {
  const isFull = (): boolean => {
    const size = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0
    return size > 0 && size + lineBytes > maxBytes
  }
  if (!isFull()) return
  // Whoever comes while another rotates appends to what is there.
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
  /** As it stands in the file, without its end. */
  text: string
}

/** What is in a file, oldest first; nothing when there is none. Lines that are not JSON are left out, however long. */
export async function readJsonl(file: string): Promise<unknown[]> {
  const bytes = await readIfThere(file)
  return bytes === undefined ? [] : [...jsonlLines(bytes)].map(({ value }) => value)
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    await using handle = await open(file, READ_FLAGS)
    return (await handle.stat()).isFile() ? await handle.readFile() : undefined
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  }
}

/** Also the last line when its end is missing, if it is whole. */
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
