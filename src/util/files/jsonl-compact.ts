import { closeSync, constants, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { appendLine, isStillAt, type JsonlLine, jsonlLines, type Within } from './jsonl-file.ts'
import { withLockFile } from './lock-file.ts'
import { openWithin, refuseLinks } from './within-folder.ts'

const NEWLINE = 0x0a

/**
 * Puts a shorter file in the place of one that grew: only the lines that `choose` keeps. True when it did.
 *
 * Others may append at the same time, if they do it with `survivesCompaction`. A line that is written to the old file before
 * the new one takes its name is found there afterwards and moved; one that is written to the old file later is seen by its
 * writer, who looks at the name again and writes it anew. So it may stand twice and out of order, but is never missing.
 */
export function compactJsonl(
  file: string,
  choose: (lines: JsonlLine[]) => JsonlLine[],
  { within = dirname(file) }: Within = {},
): boolean {
  let isDone = false
  refuseLinks(within, file)
  // Only one at a time: what another compaction had put there would be lost.
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
  // A last line without its end is perhaps being written: it is left to the second look.
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

/** There as a whole or not at all. False when the file at that name is another one by now, or none. */
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
