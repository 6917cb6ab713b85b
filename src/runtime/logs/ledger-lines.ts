import type { Hash64 } from '../../core/digest.ts'
import { payloadId } from '../../core/ids.ts'
import type { ClientHistory, ClientMeta, TransportName } from '../../mcp/model/observer.ts'
import type { Attached } from '../../mcp/sessions/registry.ts'
import type { JsonlLine } from '../../util/files/jsonl-file.ts'

/** A line of the ledger: the state of a session so far. Times in Unix seconds. */
export interface LedgerLine {
  session_id: string
  client: ClientMeta
  transport: TransportName
  connected_at: number
  last_seen: number
  /** Missing while it lasts, and forever if the process crashed. */
  disconnected_at?: number
  tool_calls: number
  /** Present if the line is the sum of several sessions, all ended: how many, and the sum of their times. */
  sessions?: number
  lifetime_seconds?: number
}

/** As written in a file. */
export interface SessionLine extends JsonlLine {
  session: LedgerLine
}

/** The id of the line for older sessions. No session has it: their ids are longer. */
const OLDER = 'older'

/** The identity of a client: its description of itself, and its transport. */
export function clientHash(hash: Hash64, client: ClientMeta, transport: TransportName): string {
  const { name, title = '', version, protocol } = client
  return payloadId(hash, 'client', [name, title, version, protocol, transport].join('\0'))
}

export function clientFileName(hash: string, client: ClientMeta): string {
  const slug = client.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return `${slug.replaceAll(/^-|-$/g, '').slice(0, 40) || 'client'}-${hash}.jsonl`
}

/** The hash in a name that `clientFileName` gave. */
export function findHashIn(fileName: string): string | undefined {
  return /^[a-z0-9-]{1,40}-([0-9A-Za-z]{11})\.jsonl$/.exec(fileName)?.[1]
}

export function lineOf({ session, lastSeen }: Attached, hasEnded: boolean): LedgerLine {
  return {
    session_id: session.id,
    client: session.client_meta,
    transport: session.transport,
    connected_at: session.connected_at,
    last_seen: lastSeen,
    ...(hasEnded && { disconnected_at: lastSeen }),
    tool_calls: session.count_tool_calls,
  }
}

/** Undefined when it is none. */
export function parseLine(value: unknown): LedgerLine | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const line = value as Partial<LedgerLine>
  const client = parseClient(line.client)
  const { session_id, transport, connected_at, last_seen, disconnected_at, tool_calls } = line
  if (typeof session_id !== 'string' || session_id === '' || !client) return undefined
  if (transport !== 'stdio' && transport !== 'http') return undefined
  if (!isCount(connected_at) || !isCount(last_seen) || !isCount(tool_calls)) return undefined
  if (disconnected_at !== undefined && !isCount(disconnected_at)) return undefined
  const ended = disconnected_at ? { disconnected_at } : {}
  const single = { session_id, client, transport, connected_at, last_seen, ...ended, tool_calls }
  const { sessions, lifetime_seconds } = line
  if (sessions === undefined || lifetime_seconds === undefined) return single
  return isCount(sessions) && isCount(lifetime_seconds)
    ? { ...single, sessions, lifetime_seconds }
    : undefined
}

function parseClient(value: unknown): ClientMeta | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { name, title, version, protocol } = value as Partial<ClientMeta>
  if (typeof name !== 'string' || typeof version !== 'string' || typeof protocol !== 'string')
    return undefined
  return { name, ...(typeof title === 'string' && title !== '' && { title }), version, protocol }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** Lines may occur twice, and an older one after a newer: see `compactJsonl`. */
function isOlder(line: LedgerLine, than: LedgerLine): boolean {
  if (line.last_seen !== than.last_seen) return line.last_seen < than.last_seen
  if (line.tool_calls !== than.tool_calls) return line.tool_calls < than.tool_calls
  if ((line.sessions ?? 1) !== (than.sessions ?? 1)) return (line.sessions ?? 1) < (than.sessions ?? 1)
  return line.disconnected_at === undefined && than.disconnected_at !== undefined
}

/** The newest line of every session, by start time. Invalid lines are left out. */
export function newestLines(lines: Iterable<JsonlLine>): SessionLine[] {
  const newest = new Map<string, SessionLine>()
  for (const line of lines) {
    const session = parseLine(line.value)
    if (!session) continue
    const known = newest.get(session.session_id)
    if (!known || !isOlder(session, known.session)) newest.set(session.session_id, { ...line, session })
  }
  return [...newest.values()].sort((a, b) => compareSessions(a.session, b.session))
}

function compareSessions(a: LedgerLine, b: LedgerLine): number {
  return a.connected_at - b.connected_at || (a.session_id < b.session_id ? -1 : 1)
}

function lifetimeOf({ connected_at, last_seen, disconnected_at }: LedgerLine): number {
  return Math.max(0, (disconnected_at ?? last_seen) - connected_at)
}

/** The newest `count` unchanged, and one line for all older sessions that ended. The result of `sumUp` stays the same. */
export function foldOlder(sessions: readonly SessionLine[], count: number): SessionLine[] {
  const isOlderAndOver = ({ session }: SessionLine, index: number): boolean =>
    index < sessions.length - count && session.disconnected_at !== undefined
  const over = sessions.filter(isOlderAndOver).map(({ session }) => session)
  const sum = sumUp('', over)
  const [first] = over
  if (!sum || !first || over.length === 1) return [...sessions]
  const { client, transport, last_disconnect: disconnected_at, tool_calls, lifetime_seconds } = sum
  const session: LedgerLine = {
    ...{ session_id: OLDER, client, transport, connected_at: first.connected_at },
    last_seen: over.reduce((latest, { last_seen }) => Math.max(latest, last_seen), 0),
    ...{ disconnected_at, tool_calls, sessions: sum.sessions, lifetime_seconds },
  }
  const rest = sessions.filter((line, index) => !isOlderAndOver(line, index))
  return [{ session, value: session, text: JSON.stringify(session) }, ...rest]
}

/** All sessions of a client together; undefined when there are none. */
export function sumUp(hash: string, sessions: readonly LedgerLine[]): ClientHistory | undefined {
  const [first, ...others] = sessions
  if (!first) return undefined
  const last = others.reduce((latest, line) => (line.last_seen >= latest.last_seen ? line : latest), first)
  const history = { sessions: 0, lifetime_seconds: 0, last_disconnect: 0, tool_calls: 0 }
  for (const line of sessions) {
    history.sessions += line.sessions ?? 1
    history.lifetime_seconds += line.lifetime_seconds ?? lifetimeOf(line)
    history.last_disconnect = Math.max(history.last_disconnect, line.disconnected_at ?? 0)
    history.tool_calls += line.tool_calls
  }
  return { hash, client: last.client, transport: last.transport, ...history }
}
