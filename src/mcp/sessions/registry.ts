import type { Hash64 } from '../../core/digest.ts'
import { payloadId } from '../../core/ids.ts'
import type { ClientMeta, SessionsEnvelope, TransportName } from '../model/observer.ts'

export type Session = SessionsEnvelope['sessions'][number]

/** A session with the fields that only the ledger records. */
export interface Attached {
  session: Session
  /** Until when its client is known to have been there; Unix seconds. */
  lastSeen: number
}

/**
 * A connection is identified by its object. A client that may open one for every request is identified by its
 * address, until it has been idle for long enough.
 */
export type ConnectionKey = object | string

export interface RegistryParts {
  /** In milliseconds. */
  now: () => number
  transport: TransportName
  /** Where HTTP listens. */
  listen?: string | undefined
  /** A client without a session counts as disconnected after this time without a request. */
  idleExpiryMs: number
  hash: Hash64
  /** Unique among processes, even those that start in the same second. */
  salt: string
  /** Called once for each session, when it begins. */
  onBegin?: ((attached: Attached) => void) | undefined
  /** Called once for each session that ended, with its final state. */
  onEnd?: ((attached: Attached) => void) | undefined
}

/** The clients attached to this process, in memory only. */
export interface Registry {
  /** A session with a handshake begins; the previous one of the connection ends. Returns its id. */
  open(connection: ConnectionKey, client: ClientMeta, sessionId?: string): string
  /**
   * Records a request. A connection without a session has one for each client that gives its name in its
   * requests. If there are too many, the one idle for longest ends. Returns the id of the session; undefined
   * if the client did not identify itself, or too many are being answered.
   */
  seen(connection: ConnectionKey, client: ClientMeta | undefined, method: string): string | undefined
  /** The id of the session that a request belongs to, after it was recorded. */
  find(connection: ConnectionKey, client: ClientMeta | undefined): string | undefined
  /** Marks a client as active while a request is answered or its stream is open, until the returned function is called. */
  hold(connection: ConnectionKey, client: ClientMeta | undefined): () => void
  /** The connection closed, which ends its sessions. */
  close(connection: ConnectionKey): void
  /** Oldest first. */
  list(): Session[]
  /** As `list`. */
  attached(): Attached[]
}

interface Entry {
  session: Session
  /** Includes a `ping`, which is a sign of life but not activity. */
  requestedAtMs: number
  /** Requests and streams that are open. */
  users: number
  lastSeen: number
}

interface Connection {
  own?: Entry
  /** By their description of themselves. */
  guests: Map<string, Entry>
}

/** The limit for one connection or address: one more replaces the one idle for longest. */
const MAX_GUESTS = 256
/** The limit for all connections: every flush of the ledger visits each of them. */
const MAX_ALL_GUESTS = 10_000
/** Names are cut to this length. */
export const MAX_TEXT = 200
/** Checking every client with every request would take longer with every client. */
const SWEEP_MS = 1000

export function createRegistry(parts: RegistryParts): Registry {
  const connections = new Map<ConnectionKey, Connection>()
  const createEntry = createBeginning(parts)
  function begin(key: ConnectionKey, client: ClientMeta, sessionId?: string): Entry {
    const entry = createEntry(client, sessionId)
    parts.onBegin?.(see(key, entry))
    return entry
  }
  /** A client without a connection was last seen with its last request; a clock that is set back shortens nothing. */
  function see(key: ConnectionKey, entry: Entry): Attached {
    const { session, users, requestedAtMs } = entry
    const seenAtMs = typeof key === 'string' && users === 0 ? requestedAtMs : parts.now()
    entry.lastSeen = Math.max(entry.lastSeen, Math.floor(seenAtMs / 1000))
    return { session: { ...session }, lastSeen: entry.lastSeen }
  }
  const end = (key: ConnectionKey, entry: Entry): void => parts.onEnd?.(see(key, entry))
  let sweepAtMs = 0
  let allGuests = 0

  function connectionOf(key: ConnectionKey): Connection {
    const connection = connections.get(key) ?? { guests: new Map() }
    connections.set(key, connection)
    return connection
  }
  function guestOf(key: ConnectionKey, client: ClientMeta): Entry | undefined {
    const { guests } = connectionOf(key)
    const name = JSON.stringify(client)
    const known = guests.get(name)
    if (known) {
      // Moved to the end: among those of the same millisecond, it is not the one idle for longest.
      guests.delete(name)
      guests.set(name, known)
      return known
    }
    if (guests.size >= MAX_GUESTS && !evictOne([key])) return undefined
    if (allGuests >= MAX_ALL_GUESTS && !evictOne(connections.keys())) return undefined
    allGuests++
    const entry = begin(key, client)
    guests.set(name, entry)
    return entry
  }
  function endGuest(key: ConnectionKey, name: string, entry: Entry): void {
    connections.get(key)?.guests.delete(name)
    allGuests--
    end(key, entry)
  }
  /** Ends the guest that was idle for longest. False: all of them are being answered. */
  function evictOne(keys: Iterable<ConnectionKey>): boolean {
    let idlest: [ConnectionKey, string, Entry] | undefined
    for (const key of keys)
      for (const [name, entry] of connections.get(key)?.guests ?? [])
        if (
          entry.users === 0 &&
          entry.requestedAtMs < (idlest?.[2].requestedAtMs ?? Number.POSITIVE_INFINITY)
        )
          idlest = [key, name, entry]
    if (idlest) endGuest(...idlest)
    return idlest !== undefined
  }
  function expire(): void {
    const before = parts.now() - parts.idleExpiryMs
    for (const [key, { own, guests }] of connections) {
      for (const [name, entry] of guests) {
        if (entry.users > 0 || entry.requestedAtMs >= before) continue
        endGuest(key, name, entry)
      }
      if (!own && guests.size === 0) connections.delete(key)
    }
  }
  function sweep(): void {
    const nowMs = parts.now()
    if (nowMs < sweepAtMs && nowMs > sweepAtMs - SWEEP_MS) return
    sweepAtMs = nowMs + SWEEP_MS
    expire()
  }
  function close(key: ConnectionKey): void {
    const { own, guests } = connections.get(key) ?? { guests: new Map<string, Entry>() }
    connections.delete(key)
    allGuests -= guests.size
    for (const entry of own ? [own, ...guests.values()] : guests.values()) end(key, entry)
  }
  function entryOf(key: ConnectionKey, client: ClientMeta | undefined): Entry | undefined {
    const { own, guests } = connections.get(key) ?? {}
    return own ?? (client && guests?.get(JSON.stringify(clean(client))))
  }
  function attached(): Attached[] {
    expire()
    const all = [...connections].flatMap(([key, { own, guests }]) =>
      [...(own ? [own] : []), ...guests.values()].map((entry) => see(key, entry)),
    )
    return all.sort((a, b) => byAge(a.session, b.session))
  }

  return {
    open(key, client, sessionId) {
      close(key)
      const own = begin(key, clean(client), sessionId)
      connectionOf(key).own = own
      return own.session.id
    },
    seen(key, client, method) {
      sweep()
      const own = connections.get(key)?.own
      const entry = own ?? (client && guestOf(key, clean(client)))
      if (!entry) return undefined
      note(entry, method, parts.now())
      return entry.session.id
    },
    find: (key, client) => entryOf(key, client)?.session.id,
    hold(key, client) {
      const entry = entryOf(key, client)
      if (!entry) return () => undefined
      entry.users++
      return () => {
        entry.users--
        entry.requestedAtMs = Math.max(entry.requestedAtMs, parts.now())
      }
    },
    close,
    list: () => attached().map(({ session }) => session),
    attached,
  }
}

function createBeginning({ now, transport, listen, hash, salt }: RegistryParts) {
  let count = 0
  /** Unique within the process, even for sessions of the same second. */
  const idAt = (second: number): string => {
    const serial = count++
    return payloadId(hash, 'session', `${transport}${second}${salt}${serial === 0 ? '' : `\0${serial}`}`)
  }
  return (client: ClientMeta, sessionId?: string): Entry => {
    const nowMs = now()
    const second = Math.floor(nowMs / 1000)
    const session: Session = {
      id: sessionId ?? idAt(second),
      client_meta: client,
      transport,
      ...(transport === 'http' && listen !== undefined && { listen }),
      connected_at: second,
      last_activity: second,
      count_tool_calls: 0,
    }
    return { session, requestedAtMs: nowMs, users: 0, lastSeen: second }
  }
}

function note(entry: Entry, method: string, nowMs: number): void {
  const { session } = entry
  entry.requestedAtMs = Math.max(entry.requestedAtMs, nowMs)
  // A clock that is set back must not make a session shorter.
  if (method !== 'ping') session.last_activity = Math.max(session.last_activity, Math.floor(nowMs / 1000))
  if (method === 'tools/call') session.count_tool_calls++
}

/** The keys of the contract in their order; no title rather than an empty one. */
function clean({ name, title, version, protocol }: ClientMeta): ClientMeta {
  const cut = (text: string): string => text.slice(0, MAX_TEXT).toWellFormed()
  return {
    name: cut(name),
    ...(title && { title: cut(title) }),
    version: cut(version),
    protocol: cut(protocol),
  }
}

function byAge(a: Session, b: Session): number {
  return a.connected_at - b.connected_at || (a.id < b.id ? -1 : 1)
}
