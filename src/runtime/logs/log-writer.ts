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
  /** The folder that may be somebody else's work, with the file in it: from there on no symbolic link is followed. */
  within?: string | undefined
}

/** Of the stream; the newest records are in the ring in any case. */
const MAX_UNREAD_BYTES = 1024 * 1024

/** Whoever logs never learns that it could not be written: there is nothing to be done about it there. */
export function createLogWriter(
  { stream, file, within }: LogOutput,
  format: LogFormat,
  log: Pick<Log, 'warn'>,
): (record: LogRecord) => void {
  // For good: the reader of stderr may go away at any time, also after the last record. Unheard it would end the process.
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
  // A bar may be there, whose next update draws it again.
  const start = 'isTTY' in stream && stream.isTTY ? CLEAR_LINE : ''
  const toStream = (record: LogRecord): void => {
    // Nobody reads it: kept for later it would fill the memory.
    if (unreadBytes(stream) > MAX_UNREAD_BYTES) return
    try {
      stream.write(start + formatRecord(record, format))
    } catch {
      // Ended already.
    }
  }
  if (file === undefined) return toStream
  const attempt = createAttempt(log, 'log file cannot be written')
  // Once: a source that is moved away later must not come back with nothing but a log in it.
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
