import { THREAD_META } from '../../src/mcp/tools/files/memory.ts'
import type { RawAnswer, RawClient } from './raw-client.ts'

/** One of several clients that use one server at the same time. All that it stores has its marker. */
export interface Tenant {
  marker: string
  space: string
  keyId: string
  isAdmin: boolean
}

/** A connection of a tenant: what it made so far, for it to use again and for others to ask for. */
export interface Actor {
  tenant: Tenant
  raw: RawClient
  random: () => number
  /** Of the names of its keys, its threads and its files. */
  prefix: string
  nodes: string[]
  records: string[]
  keys: Set<string>
}

export interface Call {
  method: string
  params: Record<string, unknown>
  /** Nothing in its answer may be from another client, not even of the same space. */
  isOwn?: boolean
}

type Make<T> = (actor: Actor) => T

const KEYS = 6
const NODES = 12
/** Ids that an actor uses again. */
const KEPT = 24

export function pick<T>({ random }: Pick<Actor, 'random'>, from: readonly T[]): T | undefined {
  return from[Math.floor(random() * from.length)]
}

const number = ({ random }: Actor, most: number): number => 1 + Math.floor(random() * most)
const words = (actor: Actor): string => `${actor.tenant.marker} note ${number(actor, 1e9)}`
const keyName = (actor: Actor): string => `${actor.prefix}-key-${number(actor, KEYS)}`
const node = (actor: Actor): string => pick(actor, actor.nodes) ?? 'nothing'
const record = (actor: Actor): string => pick(actor, actor.records) ?? UNKNOWN_UUID
const tag = ({ tenant }: Actor): string => tenant.marker
export const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000'

/** Arguments for every tool of a server: whoever adds one says here how two tenants call it. */
export const TOOL_CALLS: Record<string, Make<Record<string, unknown>>> = {
  ping: () => ({}),
  MemoryTree: (actor) => ({ depth: number(actor, 3), limit: 20 }),
  MemorySearch: (actor) => ({ query: `${tag(actor)} note`, limit: 5 }),
  MemoryFetch: (actor) => ({ id: node(actor) }),
  MemoryFetchBatch: (actor) => ({ ids: [node(actor), node(actor)] }),
  MemoryDelta: (actor) => ({ since_snapshot: number(actor, 300), limit: 20 }),
  MemoryDiff: (actor) => ({ from_snapshot_id: number(actor, 100), to_snapshot_id: 300, limit: 20 }),
  MemoryHistory: (actor) => ({ id: node(actor), depth: 5 }),
  MemoryRelated: (actor) => ({ id: node(actor), limit: 20 }),
  MemoryStats: () => ({}),
  MemoryWrite: (actor) =>
    actor.nodes.length < NODES
      ? { payload: `# ${words(actor)}\n\nAbout ${words(actor)}.` }
      : { payload: `# ${words(actor)}`, id: node(actor) },
  MemorySummarize: (actor) => ({ id: node(actor), summary: words(actor) }),
  MemoryRelate: (actor) => ({ source_id: node(actor), target_id: node(actor) }),
  MemoryForget: (actor) => ({ id: node(actor), mode: 'cascade' }),
  // Nothing is undone: what it would bring back is checked at the end.
  MemoryRollback: () => ({ snapshot_id: 999_999_999 }),
  MemoryRestore: () => ({ revert: 999_999_999 }),
  MemoryPin: (actor) => ({ id: node(actor) }),
  MemoryUnpin: (actor) => ({ id: node(actor) }),
  store_memory: (actor) => ({
    type: 'core',
    content: words(actor),
    tags: [tag(actor)],
    category: tag(actor),
  }),
  query_memories: (actor) => ({ search: 'note', limit: 5, offset: number(actor, 20) - 1 }),
  update_memory: (actor) => ({ id: record(actor), content: words(actor) }),
  delete_memory: (actor) => ({ id: record(actor), permanent: true }),
  get_memory_stats: () => ({}),
  remember: (actor) => ({ key: keyName(actor), value: words(actor), tags: [tag(actor)] }),
  remember_if_absent: (actor) => ({
    key: pick(actor, [keyName(actor), `${actor.prefix}-secret-${number(actor, KEYS)}`]),
    value: words(actor),
    tags: [tag(actor)],
  }),
  remember_blob: (actor) => ({
    key: keyName(actor),
    data: btoa(tag(actor)),
    content_type: 'application/octet-stream',
    tags: [tag(actor)],
  }),
  recall: (actor) => ({ key: keyName(actor) }),
  forget: (actor) => ({ key: keyName(actor) }),
  forget_all: (actor) => ({ tag: `${actor.prefix}-none` }),
  redact_memory: (actor) => ({ key: `${actor.prefix}-secret-${number(actor, KEYS)}`, reason: words(actor) }),
  memory_history: (actor) => ({ key: keyName(actor), limit: 3 }),
  restore_memory: (actor) => ({ key: keyName(actor), version_timestamp: '20260101T000000000000' }),
  list_memories: () => ({ limit: 10 }),
  list_tags: () => ({}),
  summarize_context: (actor) => ({ topic: tag(actor) }),
  search_memories: () => ({ query: 'note', top_k: 5 }),
  relate_memories: (actor) => ({ key: keyName(actor), top_k: 3 }),
  pack_context: () => ({ topic: 'note', budget_tokens: 200 }),
  memory: (actor) =>
    pick(actor, [
      { path: '/', command: 'list' },
      { path: `/${actor.prefix}`, command: 'read' },
      { path: `/${actor.prefix}`, command: 'append', content: words(actor) },
      { path: `/${actor.prefix}`, command: 'update', oldContent: 'note', content: 'note' },
      { path: `/${actor.prefix}`, command: 'delete' },
    ]) ?? {},
}

/** A URI for every resource of a server, by its template. */
export const RESOURCE_READS: Record<string, Make<string>> = {
  'remindb://overview': () => 'remindb://overview',
  'remindb://files': () => 'remindb://files',
  'remindb://tree': () => 'remindb://tree',
  'remindb://tree/{rootId}{?depth}': (actor) => `remindb://tree/${node(actor)}?depth=2`,
  'remindb://graph': () => 'remindb://graph',
  'remindb://snapshots': () => 'remindb://snapshots',
  'remindb://snapshots{?limit}': () => 'remindb://snapshots?limit=5',
  'remindb://snapshots/{id}/diffs': (actor) => `remindb://snapshots/${number(actor, 300)}/diffs`,
  'remindb://temperature': () => 'remindb://temperature',
  'remindb://doctor': () => 'remindb://doctor',
  'remindb://logs': () => 'remindb://logs',
  'remindb://sessions': () => 'remindb://sessions',
  'remindb://sessions/history': () => 'remindb://sessions/history',
  'remindb://sessions/history/{hash}': (actor) => `remindb://sessions/history/${actor.tenant.marker}`,
  'remindb://sessions/logs': () => 'remindb://sessions/logs',
  'remindb://sessions/logs/{id}': (actor) => `remindb://sessions/logs/${actor.tenant.keyId}`,
  'remindb://rescan': () => 'remindb://rescan',
  'remindb://tree{?depth,cursor,limit}': () => 'remindb://tree?limit=10',
  'remindb://tree/{rootId}{?depth,cursor,limit}': (actor) => `remindb://tree/${node(actor)}?limit=10`,
  'remindb://graph{?cursor,limit}': () => 'remindb://graph?limit=10',
  'remindb://snapshots{?cursor,limit}': () => 'remindb://snapshots?cursor=start&limit=10',
  'remindb://log{?cursor,author,operation,path}': () => 'remindb://log?operation=write',
  'remindb://snapshots/{id}/diffs{?cursor,limit}': () => 'remindb://snapshots/3/diffs?limit=10',
  'remindb://temperature{?cursor,limit}': () => 'remindb://temperature?limit=10',
  'remindb://search{?q,limit}': () => 'remindb://search?q=note&limit=5',
  'remindb://at/{moment}/tree{?root,depth,cursor,limit}': () => 'remindb://at/yesterday/tree?limit=10',
  'remindb://at/{moment}/node/{id}': (actor) => `remindb://at/now/node/${node(actor)}`,
  'remindb://changes/{from}/{to}{?cursor,limit}': () => 'remindb://changes/1/now?limit=10',
  'remindb://audit': () => 'remindb://audit',
  'remindb://audit{?cursor,limit}': () => 'remindb://audit?limit=10',
  'memory://recent': () => 'memory://recent',
  'memory://recent{?limit,since,tags}': (actor) => `memory://recent?limit=5&tags=${tag(actor)}`,
  'memory://core': () => 'memory://core',
  'memory://core{?limit,since,tags}': () => 'memory://core?limit=5',
  'memory://learnings': () => 'memory://learnings',
  'memory://learnings{?limit,since,tags}': () => 'memory://learnings?limit=5',
  'memory://tasks/active': () => 'memory://tasks/active',
  'memory://tasks/active{?limit,since,tags}': () => 'memory://tasks/active?limit=5',
  'memory://tasks/completed': () => 'memory://tasks/completed',
  'memory://tasks/completed{?limit,since,tags}': () => 'memory://tasks/completed?limit=5',
  'memory://custom/{view}{?limit,since,tags}': () => 'memory://custom/none',
  'memory://_index': () => 'memory://_index',
  'memory://{key}': (actor) => `memory://${keyName(actor)}`,
  'memory://_key/{key}': (actor) => `memory://_key/${keyName(actor)}`,
}

/** What is only the client's own, even within a space. */
const OWN_RESOURCES = ['memory://_index', 'memory://{key}', 'memory://_key/{key}']

/** Arguments for every prompt of a server. */
export const PROMPT_GETS: Record<string, Make<Record<string, string>>> = {
  'summarize-cold': () => ({}),
  'recall-context': (actor) => ({ topic: tag(actor) }),
  'what-do-you-know-about': () => ({ query: 'note' }),
  'remember-this': (actor) => ({ key: keyName(actor), value: words(actor) }),
  'forget-older-than': () => ({ days: '30' }),
}

const ARGUMENT = { name: 'topic', value: 'a' }
const OTHER_METHODS: Record<string, Record<string, unknown>> = {
  ping: {},
  'server/discover': {},
  'tools/list': {},
  'prompts/list': {},
  'resources/list': {},
  'resources/templates/list': {},
  'completion/complete': { ref: { type: 'ref/prompt', name: 'recall-context' }, argument: ARGUMENT },
  'logging/setLevel': { level: 'debug' },
}

/** What grows with every write, or is long, is asked for less often. */
const RARE = new Set([
  ...[
    'remindb://tree',
    'remindb://graph',
    'remindb://snapshots',
    'remindb://temperature',
    'remindb://doctor',
  ],
  ...['remindb://logs', 'MemoryDelta', 'MemoryDiff', 'redact_memory', 'tools/list', 'MemoryForget'],
])
const RARELY = 0.1

const CALLS: readonly { name: string; make: Make<Call> }[] = [
  ...Object.entries(TOOL_CALLS).map(([name, make]) => ({ name, make: toolCall(name, make) })),
  ...Object.entries(RESOURCE_READS).map(([name, make]) => ({
    name,
    make: (actor: Actor): Call => ({
      method: 'resources/read',
      params: { uri: make(actor) },
      isOwn: OWN_RESOURCES.includes(name),
    }),
  })),
  ...Object.entries(PROMPT_GETS).map(([name, make]) => ({
    name,
    make: (actor: Actor): Call => ({
      method: 'prompts/get',
      params: { name, arguments: make(actor) },
    }),
  })),
  ...Object.entries(OTHER_METHODS).map(([method, params]) => ({
    name: method,
    make: (): Call => ({ method, params }),
  })),
]

function toolCall(name: string, make: Make<Record<string, unknown>>): Make<Call> {
  return (actor) => ({
    method: 'tools/call',
    params: {
      name,
      arguments: make(actor),
      ...(name === 'memory' && { _meta: { [THREAD_META]: actor.prefix } }),
    },
    // Files of a thread are its client's.
    isOwn: name === 'memory',
  })
}

/** Each thing that can be asked for, once. */
export function everyCall(actor: Actor): Call[] {
  return CALLS.map(({ make }) => make(actor))
}

export function randomCall(actor: Actor): Call {
  for (;;) {
    const { name, make } = pick(actor, CALLS) as (typeof CALLS)[number]
    if (!RARE.has(name) || actor.random() < RARELY) return make(actor)
  }
}

/** Remembers what the answer to a call means for those that follow. */
export function learn(actor: Actor, { method, params }: Call, { status, text }: RawAnswer): void {
  if (method !== 'tools/call' || status !== 200 || text.includes('"isError":true')) return
  const { key = '' } = params.arguments as { key?: string }
  const name = String(params.name)
  if (name === 'MemoryWrite') addTo(actor.nodes, /wrote node ([0-9A-Za-z]+)/.exec(text)?.[1])
  if (name === 'store_memory') addTo(actor.records, /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0])
  if (name.startsWith('remember')) actor.keys.add(key)
  if (['forget', 'redact_memory'].includes(name)) actor.keys.delete(key)
}

function addTo(known: string[], id: string | undefined): void {
  if (id !== undefined && !known.includes(id)) known.push(id)
  if (known.length > KEPT) known.shift()
}
