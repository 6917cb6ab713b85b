import type { LogsEnvelope } from '../../mcp/model/observer.ts'
import { printable, printableJson } from '../../util/text/printable.ts'

export type LogRecord = LogsEnvelope['records'][number]
export type LogFormat = 'text' | 'json'

const RESERVED = new Set(['time', 'level', 'msg'])
/** The characters of a value that are unambiguous without quotes. */
const BARE = /^[^\s"=\\\p{C}\u2028\u2029]+$/u

/** A record as one line, with its end. A terminal that shows it obeys nothing in it. */
export function formatRecord(record: LogRecord, format: LogFormat): string {
  return `${format === 'json' ? jsonLine(record) : textLine(record)}\n`
}

function jsonLine({ time, level, msg, attrs }: LogRecord): string {
  const fields = Object.entries(attrs).map(([key, value]) => [RESERVED.has(key) ? `_${key}` : key, value])
  return printableJson(JSON.stringify({ time: isoTime(time), level, msg, ...Object.fromEntries(fields) }))
}

function textLine({ time, level, msg, attrs }: LogRecord): string {
  const fields = Object.entries(attrs).map(([key, value]) => ` ${bareOrQuoted(key)}=${bareOrQuoted(value)}`)
  return `${isoTime(time)} ${level} ${printable(msg)}${fields.join('')}`
}

function bareOrQuoted(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return BARE.test(text) ? text : printableJson(JSON.stringify(text))
}

/** RFC 3339, to the millisecond. */
export function isoTime(time: number): string {
  return new Date(time).toISOString()
}
