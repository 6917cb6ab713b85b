import { closeSync, constants, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { appendLine, isStillAt, type JsonlLine, jsonlLines, type Within } from './jsonl-file.ts'
import { withLockFile } from './lock-file.ts'
import { openWithin, refuseLinks } from './within-folder.ts'

const NEWLINE = 0x0a

/**
 * Replaces a file with a shorter one: only the lines that `choose` keeps. Returns whether it did. Others may append at
 * the same time, if they use `survivesCompaction`. A line written to the old file before the rename is found there
 * afterwards and moved; for a later one, its writer checks the name again and rewrites it. So a line may be duplicated
 * or out of order, but is never lost.
 */
export function compactJsonl(
  file: string,
  choose: (lines: JsonlLine[]) => JsonlLine[],
  { within = dirname(file) }: Within = {},
): boolean {
  let isDone = false
  refuseLinks(within, file)
  // Only one at a time: otherwise the result of another compaction would be lost.
  withLockFile(`${file}.lock`, () => {
    const handle = openWithin(within, file, constants.O_RDONLY)
    try {
      isDone = compact(file, handle, { choose, within })
    } finally {
      closeSync(handle)
    }
  })
  return isDone
}

function compact(
  file: string,
  handle: number,
  { choose, within }: { choose: (lines: JsonlLine[]) => JsonlLine[]; within: string },
): boolean {
  const bytes = readFrom(handle, 0)
  // An incomplete last line may be in progress: it is left to the second pass.
  const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1)
  const kept = Buffer.from(
    choose([...jsonlLines(whole)])
      .map(({ text }) => `${text}\n`)
      .join(''),
  )
  if (kept.length >= whole.length || !replace(file, handle, kept)) return false
  const later = readFrom(handle, whole.length)
  if (later.length > 0) appendLine(file, endLine(later), { survivesCompaction: true, within })
  return true
}

function readFrom(handle: number, offset: number): Buffer {
  const parts: Buffer[] = []
  for (let at = offset; ; ) {
    const part = Buffer.allocUnsafe(64 * 1024)
    const length = readSync(handle, part, 0, part.length, at)
    if (length === 0) return Buffer.concat(parts)
    parts.push(part.subarray(0, length))
    at += length
  }
}

/** Atomic. Returns false if the name is another file by now, or none. */
function replace(file: string, handle: number, bytes: Buffer): boolean {
  const part = join(dirname(file), `.${basename(file)}.${crypto.randomUUID()}.part`)
  try {
    writeDurably(part, bytes)
    if (!isStillAt(file, handle)) return false
    renameSync(part, file)
    return true
  } finally {
    rmSync(part, { force: true })
  }
}

function writeDurably(file: string, bytes: Buffer): void {
  const handle = openSync(file, 'wx', 0o600)
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function endLine(bytes: Buffer): Buffer {
  return bytes.at(-1) === NEWLINE ? bytes : Buffer.concat([bytes, Buffer.of(NEWLINE)])
}
