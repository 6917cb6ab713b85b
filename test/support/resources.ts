import { existsSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { doctor } from '../../src/core/doctor/doctor.ts'
import type { Engine } from '../../src/core/port/store.ts'
import type {
  ClientHistory,
  LogsEnvelope,
  Observer,
  RescanEnvelope,
  ServerObserver,
  SessionLogEnvelope,
  SessionsEnvelope,
  SessionsHistoryEnvelope,
  SessionsLogsEnvelope,
} from '../../src/mcp/model/observer.ts'
import { findResource } from '../../src/mcp/resources/list.ts'
import { createObserver } from '../../src/runtime/memory/observer.ts'
import { findNamedPlaces } from '../../src/runtime/places/named-documents.ts'
import { placesOf, showRoot } from '../../src/runtime/places/places.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { hash } from './store-changes.ts'

export const NOW = 1_800_000_000_000

/** One answer of each locked resource, as its contract shows it. */
export const EXAMPLES = JSON.parse(
  readFileSync(new URL('../mcp/resource-examples.json', import.meta.url), 'utf8'),
) as Record<string, unknown>

export interface Watching extends AsyncDisposable {
  observer: Observer & ServerObserver
  engine: Engine
  /** The text of a resource. */
  read(uri: string): Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: what is read is what others parse, untyped
  json(uri: string): Promise<any>
}

/** Looks at a memory through handles of its own, as a dashboard does. What the server knows is as in the examples. */
export async function watch(
  db: string,
  thresholds: () => { hot: number; cold: number } = () => ({ hot: 0.5, cold: 0.1 }),
): Promise<Watching> {
  const places = placesOf(db)
  const engine = await openSqlite({ file: places.db, hash })
  const { store, maintenance } = engine
  const observer: Observer & ServerObserver = {
    ...createObserver({
      store,
      maintenance,
      hash,
      now: () => NOW,
      dbPath: places.db,
      thresholds,
      showRoot: (stored) => showRoot(places, stored),
      doctor: () =>
        doctor({
          store,
          maintenance,
          showRoot: (stored) => showRoot(places, stored),
          rootsExist: (roots) => roots.map((root) => existsSync(root)),
        }),
      redact: (text) => text,
      views: () => [{ name: 'mine' }],
      settled: async () => undefined,
      placesNamed: (path) => findNamedPlaces({ store, places, redact: (text) => text }, path),
      keyResources: () => 'client',
    }),
    ...serverHalf(),
  }
  const read = async (uri: string): Promise<string> => {
    const found = findResource(uri)
    if (!found) throw new Error(`there is no resource ${uri}`)
    const content = await found.resource.read(observer, found.variables)
    if (typeof content === 'string') return content
    return 'text' in content ? content.text : content.blob
  }
  return {
    observer,
    engine,
    read,
    json: async (uri) => JSON.parse(await read(uri)),
    [Symbol.asyncDispose]: () => engine.close(),
  }
}

function serverHalf() {
  const client = EXAMPLES['remindb://sessions/history/{hash}'] as ClientHistory
  const log = EXAMPLES['remindb://sessions/logs/{id}'] as SessionLogEnvelope
  return {
    logs: () => EXAMPLES['remindb://logs'] as LogsEnvelope,
    customViews: () => [],
    sessions: async () => EXAMPLES['remindb://sessions'] as SessionsEnvelope,
    sessionsHistory: async () => EXAMPLES['remindb://sessions/history'] as SessionsHistoryEnvelope,
    findClientHistory: async (hash: string) => (hash === client.hash ? client : undefined),
    sessionsLogs: async () => EXAMPLES['remindb://sessions/logs'] as SessionsLogsEnvelope,
    findSessionLog: async (id: string) => (id === log.session_id ? log : undefined),
    rescan: async () => EXAMPLES['remindb://rescan'] as RescanEnvelope,
  }
}

/** Objects whose keys are names of things, not of the envelope. */
const MAPS = ['by_type', 'by_origin', 'attrs', 'fields']

/** Where `actual` has other keys, another order of them or other types than `example`; nothing where it has the same. */
export function differences(actual: unknown, example: unknown, at = '$'): string[] {
  const kinds = [kindOf(actual), kindOf(example)]
  if (kinds[0] !== kinds[1]) return [`${at} is ${kinds[0]}, not ${kinds[1]}`]
  if (Array.isArray(actual)) {
    const shapes = example as unknown[]
    return actual.flatMap((item, index) =>
      leastOf(shapes.map((one) => differences(item, one, `${at}[${index}]`))),
    )
  }
  if (kinds[0] !== 'object') return []
  if (MAPS.some((name) => at.endsWith(`.${name}`))) return []
  const [names, expected] = [Object.keys(actual as object), Object.keys(example as object)]
  if (names.join() !== expected.join()) return [`${at} has ${names.join()}, not ${expected.join()}`]
  return names.flatMap((name) =>
    differences((actual as Named)[name], (example as Named)[name], `${at}.${name}`),
  )
}

type Named = Record<string, unknown>

/** An element of a list is like one of those in the example. */
function leastOf(found: string[][]): string[] {
  return found.toSorted((a, b) => a.length - b.length)[0] ?? []
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

/** Every page from the first one on, each no longer than `limit`. */
// biome-ignore lint/suspicious/noExplicitAny: as `json`
export async function allPages(seen: Watching, uri: string, count: (page: any) => number, limit: number) {
  // biome-ignore lint/suspicious/noExplicitAny: as `json`
  const pages: any[] = []
  for (let cursor: string | null = 'start'; cursor !== null; ) {
    const mark: string = uri.includes('?') ? '&' : '?'
    const page = await seen.json(`${uri}${mark}limit=${limit}&cursor=${encodeURIComponent(cursor)}`)
    expect(Object.keys(page).at(-1)).toBe('next_cursor')
    expect(count(page)).toBeLessThanOrEqual(limit)
    // Only the last page may be short.
    if (page.next_cursor !== null) expect(count(page)).toBe(limit)
    pages.push(page)
    cursor = page.next_cursor
  }
  return pages
}
