import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CALL_MESSAGES } from '../../mcp/model/call-log.ts'
import type { SessionLogEntry, SessionLogEnvelope, SessionsLogsEnvelope } from '../../mcp/model/observer.ts'
import { isAbsence } from '../../util/files/absence.ts'
import { appendJsonl, readJsonl } from '../../util/files/jsonl-file.ts'
import { listNames } from '../../util/files/list-names.ts'
import { refuseLinks } from '../../util/files/within-folder.ts'
import { LOG_LEVELS, type LogFields, type LogLevel } from '../../util/log.ts'
import { isoTime, type LogRecord } from './log-lines.ts'

export interface SessionLogsOptions {
  folder: string
  /** The maximum size of a file; then a new one starts, and the previous one is kept. */
  maxFileBytes: number
}

const CALLS = new Set<string>(Object.values(CALL_MESSAGES))
const ENDING = '.log'

/** The calls and failures of a session, at any level of the log. */
export function isForSessionLog(level: LogLevel, msg: string): boolean {
  return level === 'WARN' || level === 'ERROR' || CALLS.has(msg)
}

/** The name of a session's file, without its ending. */
export function sessionSlug(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9._-]/gu, '-').slice(0, 64) || 'session'
}

/** Throws the system's error. */
export function appendToSessionLog(options: SessionLogsOptions, id: string, record: LogRecord): void {
  const file = join(options.folder, `${sessionSlug(id)}${ENDING}`)
  appendJsonl(file, entryOf(record), { maxBytes: options.maxFileBytes, within: dirname(options.folder) })
}

/** A record as a line of the file. */
export function entryOf({ time, level, msg, attrs }: LogRecord): SessionLogEntry {
  const fields = Object.fromEntries(
    Object.entries(attrs).filter(([, value]) => value !== '' && value != null),
  )
  return withFields({ time: isoTime(time), level, msg }, fields)
}

/** A line of the file as an entry; undefined when it is none. */
export function parseEntry(value: unknown): SessionLogEntry | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { time, level, msg, fields } = value as Partial<SessionLogEntry>
  if (typeof time !== 'string' || Number.isNaN(Date.parse(time)) || typeof msg !== 'string') return undefined
  if (level === undefined || !LOG_LEVELS.includes(level)) return undefined
  if (fields !== undefined && (typeof fields !== 'object' || fields === null || Array.isArray(fields)))
    return undefined
  return withFields({ time, level, msg }, fields ?? {})
}

function withFields(entry: SessionLogEntry, fields: LogFields): SessionLogEntry {
  return Object.keys(fields).length === 0 ? entry : { ...entry, fields }
}

/** The existing logs, even if logging is now disabled; by file name. */
export async function listSessionLogs(folder: string, dbPath: string): Promise<SessionsLogsEnvelope> {
  const names = (await listNames(folder, dirname(folder))).filter((name) => name.endsWith(ENDING)).sort()
  return { db_path: dbPath, logs: names.flatMap((name) => describe(folder, name) ?? []) }
}

/** Undefined for a file that is not ours, or was removed meanwhile. */
function describe(folder: string, name: string): SessionsLogsEnvelope['logs'][number] | undefined {
  const id = name.slice(0, -ENDING.length)
  const file = join(folder, name)
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (id !== sessionSlug(id) || !stats?.isFile()) return undefined
  const rotated = lstatSync(`${file}.1`, { throwIfNoEntry: false })?.isFile() === true
  return { session_id: id, size_bytes: stats.size, rotated, modified_at: Math.floor(stats.mtimeMs / 1000) }
}

/** The entries of one session, newest last, without rotated ones. Undefined: it has no log. */
export async function findSessionLog(folder: string, id: string): Promise<SessionLogEnvelope | undefined> {
  // Only a name that we could have given: nothing in it is a way.
  const file = join(folder, `${id}${ENDING}`)
  if (id !== sessionSlug(id) || !isThere(folder, file)) return undefined
  const lines = await readJsonl(file, { within: dirname(folder) })
  return { session_id: id, entries: lines.flatMap((line) => parseEntry(line) ?? []) }
}

/** Not through a link: it may lead to any file. */
function isThere(folder: string, file: string): boolean {
  try {
    refuseLinks(dirname(folder), file)
    return lstatSync(file).isFile()
  } catch (error) {
    if (isAbsence(error)) return false
    throw error
  }
}
