import { appendFileSync, closeSync, constants, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { openWithin, refuseLinks } from '../../util/files/within-folder.ts'
import type { Log } from '../../util/log.ts'
import { CLEAR_LINE } from '../../util/terminal/output.ts'
import { createAttempt } from '../timing/best-effort.ts'
import { formatRecord, type LogFormat, type LogRecord } from './log-lines.ts'

export interface LogOutput {
  stream: NodeJS.WritableStream
  /** Records go here, and to the stream only while this cannot be written to. */
  file?: string | undefined
  /** The folder that may be a stranger's, with the file in it: from there on no symbolic link is followed. */
  within?: string | undefined
}

/** For the stream; the ring always has the newest records. */
const MAX_UNREAD_BYTES = 1024 * 1024

/** Callers never learn of a failed write: they could do nothing about it. */
export function createLogWriter(
  { stream, file, within }: LogOutput,
  format: LogFormat,
  log: Pick<Log, 'warn'>,
): (record: LogRecord) => void {
  // Permanently: the reader of stderr may disconnect at any time, even after the last record. An unhandled error would end the process.
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
  // A progress bar may be there; its next update draws it again.
  const start = 'isTTY' in stream && stream.isTTY ? CLEAR_LINE : ''
  const toStream = (record: LogRecord): void => {
    // The stream is blocked: buffered records would fill the memory.
    if (unreadBytes(stream) > MAX_UNREAD_BYTES) return
    try {
      stream.write(start + formatRecord(record, format))
    } catch {
      // Ended already.
    }
  }
  if (file === undefined) return toStream
  const attempt = createAttempt(log, 'log file cannot be written')
  // Once: a source that is moved away later must not be recreated with only a log in it.
  let isFolderMade = false
  const append = (line: string): void => {
    if (within !== undefined) refuseLinks(within, file)
    if (!isFolderMade) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    isFolderMade = true
    appendText(file, line, within)
  }
  return (record) => {
    const line = formatRecord(record, format)
    if (!attempt(() => append(line))) toStream(record)
  }
}

/** One for all that write to the same stream: spaces come and go, and each has a log. */
function ignore(): void {}

function unreadBytes(stream: NodeJS.WritableStream): number {
  return 'writableLength' in stream ? Number(stream.writableLength) : 0
}

/** Opened for every record: then it may be moved away at any time, and several processes may share it. */
function appendText(file: string, line: string, within: string | undefined): void {
  if (within === undefined) {
    appendFileSync(file, line, { mode: 0o600 })
    return
  }
  const handle = openWithin(within, file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT)
  try {
    appendFileSync(handle, line)
  } finally {
    closeSync(handle)
  }
}
