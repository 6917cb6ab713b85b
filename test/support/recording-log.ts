import { LOG_LEVELS, type Log, type LogFields, type LogLevel } from '../../src/util/log.ts'

export interface LogRecord {
  level: LogLevel
  message: string
  fields: LogFields
}

/** A log that can be read. */
export function recordingLog(): { log: Log; records: LogRecord[]; warnings(): LogRecord[] } {
  const records: LogRecord[] = []
  const write =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) =>
      void records.push({ level, message, fields })
  const [debug, info, warn, error] = LOG_LEVELS.map(write) as [
    Log['debug'],
    Log['info'],
    Log['warn'],
    Log['error'],
  ]
  const log: Log = { debug, info, warn, error, of: () => log }
  return { log, records, warnings: () => records.filter(({ level }) => level === 'WARN') }
}
