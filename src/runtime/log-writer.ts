import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Log } from '../util/log.ts'
import { createAttempt } from './best-effort.ts'
import { formatRecord, type LogFormat, type LogRecord } from './log-lines.ts'

export interface LogOutput {
  stream: NodeJS.WritableStream
  /** Records go here, and to the stream only while this cannot be written to. */
  file?: string | undefined
}

/** Whoever logs never learns that it could not be written: there is nothing to be done about it there. */
export function createLogWriter(
  { stream, file }: LogOutput,
  format: LogFormat,
  log: Pick<Log, 'warn'>,
): (record: LogRecord) => void {
  // For good: the reader of stderr may go away at any time, also after the last record. Unheard it would end the process.
  stream.on('error', () => undefined)
  const toStream = (record: LogRecord): void => {
    try {
      stream.write(formatRecord(record, format))
    } catch {
      // Ended already.
    }
  }
  if (file === undefined) return toStream
  const attempt = createAttempt(log, 'log file cannot be written')
  return (record) => {
    const line = formatRecord(record, format)
    if (!attempt(() => appendText(file, line))) toStream(record)
  }
}

/** Opened for every record: then it may be moved away at any time, and several processes may share it. */
function appendText(file: string, line: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  appendFileSync(file, line, { mode: 0o600 })
}
