import type { LogsEnvelope } from '../../mcp/model/observer.ts'
import { LOG_LEVELS, type Log, type LogFields, type LogLevel } from '../../util/log.ts'
import { flattenFields } from '../../util/log-fields.ts'
import { createAttempt } from '../timing/best-effort.ts'
import type { LogFormat, LogRecord } from './log-lines.ts'
import { createLogWriter, type LogOutput } from './log-writer.ts'
import { appendToSessionLog, isForSessionLog, type SessionLogsOptions } from './session-logs.ts'

export interface LoggingOptions {
  level: Lowercase<LogLevel>
  format: LogFormat
  output: LogOutput
  /** Records that `ring()` remembers. */
  bufferSize: number
  /** A file for each session. None: no such files. */
  sessionLogs?: SessionLogsOptions | undefined
  /** Called for each written record. Records that a listener logs are written too, without another call. */
  onRecord?: ((record: LogRecord) => void) | undefined
  /** In milliseconds. */
  now: () => number
}

export interface Logging {
  log: Log
  /** Exactly the written records, back to the limit of the ring. */
  ring(): LogsEnvelope
  /** Listeners are no longer called; records are still written, so that a shutdown can be explained. */
  close(): void
}

/** Logging never fails: a full disk or a broken pipe is not the caller's problem. */
export function createLogging(options: LoggingOptions): Logging {
  const { sessionLogs, now } = options
  const isEmitted = atLeast(options.level)
  const emitter = createEmitter(options)
  const log = createLog((level, msg, fields, sessionId) => {
    const isKept = sessionLogs && sessionId !== undefined && isForSessionLog(level, msg)
    if (!isKept && !isEmitted(level)) return
    const record = { time: now(), level, msg, attrs: flattenFields(fields) }
    if (isKept) attempt(() => appendToSessionLog(sessionLogs, sessionId, record))
    if (isEmitted(level)) emitter.emit(sessionId === undefined ? record : ofSession(record, sessionId))
  })
  const attempt = createAttempt(log, 'session log cannot be written')
  return { log, ring: emitter.ring, close: emitter.close }
}

function atLeast(least: Lowercase<LogLevel>): (level: LogLevel) => boolean {
  const order = LOG_LEVELS.indexOf(least.toUpperCase() as LogLevel)
  return (level) => LOG_LEVELS.indexOf(level) >= order
}

function ofSession(record: LogRecord, sessionId: string): LogRecord {
  return { ...record, attrs: { session_id: sessionId, ...record.attrs } }
}

function createEmitter({ format, output, bufferSize, onRecord, now }: LoggingOptions) {
  const ring = createRing(bufferSize)
  const write = createLogWriter(output, format, { warn: (msg, fields) => say('WARN', msg, fields) })
  let isTelling = false
  let isClosed = false

  function tell(record: LogRecord): void {
    // Otherwise a listener that logs would call itself without end.
    if (isTelling || isClosed || !onRecord) return
    isTelling = true
    try {
      onRecord(record)
    } catch (error) {
      say('ERROR', 'log listener failed', { err: error })
    } finally {
      isTelling = false
    }
  }
  function say(level: LogLevel, msg: string, fields?: LogFields): void {
    emit({ time: now(), level, msg, attrs: flattenFields(fields) })
  }
  function emit(record: LogRecord): void {
    ring.push(record)
    write(record)
    tell(record)
  }
  return {
    emit,
    ring: () => ring.envelope(),
    close(): void {
      isClosed = true
    },
  }
}

type Write = (
  level: LogLevel,
  msg: string,
  fields: LogFields | undefined,
  sessionId: string | undefined,
) => void

function createLog(write: Write, sessionId?: string): Log {
  return {
    debug: (message, fields) => write('DEBUG', message, fields, sessionId),
    info: (message, fields) => write('INFO', message, fields, sessionId),
    warn: (message, fields) => write('WARN', message, fields, sessionId),
    error: (message, fields) => write('ERROR', message, fields, sessionId),
    of: (id) => createLog(write, id),
  }
}

/** The newest `size` records, in memory only. */
function createRing(size: number) {
  const slots: LogRecord[] = []
  /** Where the oldest one is, once all slots are taken. */
  let oldest = 0
  let dropped = 0

  return {
    push(record: LogRecord): void {
      if (slots.length < size) {
        slots.push(record)
        return
      }
      slots[oldest] = record
      oldest = (oldest + 1) % size
      dropped++
    },
    envelope(): LogsEnvelope {
      return { records: [...slots.slice(oldest), ...slots.slice(0, oldest)], dropped }
    },
  }
}
