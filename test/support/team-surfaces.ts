import type { NeededScope } from '../../src/core/access/scopes.ts'
import type { Method } from '../../src/mcp/dispatch.ts'
import { type Revision, writtenId } from './mcp.ts'
import { type Asked, INITIALIZE } from './team-requests.ts'

/** Something that a client can ask for, and what it needs for that. */
export interface Surface {
  name: string
  needs: NeededScope
  asked: Asked
  /** In which eras a client that may use it gets a result, in all of them by default. Not where it names what is not there. */
  answers?: readonly Revision[]
  /** It goes with tools that need this: others are not offered it. */
  goesWith?: NeededScope
}

const READ = 'memories:read'
const WRITE = 'memories:write'
const ADMIN = 'memories:admin'
const OLD = ['2025-11-25'] as const
const NEW = ['2026-07-28'] as const
const NEVER = [] as const

/** What `plant` stored. */
export interface Planted {
  node: string
  scrap: string
  record: string
  /** The newest snapshot. */
  snapshot: number
}

interface Planting {
  call(tool: string, args: Record<string, unknown>): Promise<string>
  read(uri: string): Promise<string>
}

/** Stores something for every surface to show. */
export async function plant({ call, read }: Planting): Promise<Planted> {
  const node = writtenId(await call('MemoryWrite', { payload: '# Deploys\n\nNever on a Friday.' }))
  const scrap = writtenId(await call('MemoryWrite', { payload: '# Scrap\n\nOld paper.' }))
  await call('remember', { key: 'plan', value: 'Ship it.', tags: ['work'] })
  await call('memory', { command: 'append', path: '/today', content: 'first' })
  const { id } = JSON.parse(await call('store_memory', { type: 'core', content: 'Likes milk.' }))
  const { snapshots } = JSON.parse(await read('remindb://overview'))
  return { node, scrap, record: id, snapshot: snapshots.head_id }
}

type Row = readonly [tool: string, needs: NeededScope, args: Record<string, unknown>]

/** A call that each tool accepts. Who adds a tool adds a row: the matrix fails without. */
const tools = ({ node, scrap, record, snapshot }: Planted): readonly Row[] => [
  ['MemoryTree', READ, {}],
  ['MemorySearch', READ, { query: 'friday' }],
  ['MemoryFetch', READ, { id: node }],
  ['MemoryFetchBatch', READ, { ids: [node] }],
  ['MemoryDelta', READ, { since_snapshot: 1 }],
  ['MemoryDiff', READ, { from_snapshot_id: 1, to_snapshot_id: snapshot }],
  ['MemoryHistory', READ, { id: node }],
  ['MemoryRelated', READ, { id: node }],
  ['MemoryStats', READ, {}],
  ['MemoryWrite', WRITE, { payload: 'Never on a Monday.' }],
  ['MemorySummarize', WRITE, { id: node, summary: 'Short.' }],
  ['MemoryCompile', 'operator', { path: '/' }],
  ['MemoryRelate', WRITE, { source_id: node, target_label: 'Elsewhere' }],
  ['MemoryPin', WRITE, { id: node }],
  ['MemoryUnpin', WRITE, { id: node }],
  ['MemoryForget', WRITE, { id: scrap, mode: 'cascade' }],
  ['MemoryRollback', WRITE, { snapshot_id: snapshot }],
  ['MemoryRestore', WRITE, { id: node, snapshot }],
  ['MemoryRestore', ADMIN, { id: node, snapshot, force: true }],
  ['MemoryRollback', ADMIN, { snapshot_id: snapshot, drop_after: true }],
  ['query_memories', READ, { type: 'core' }],
  ['get_memory_stats', READ, {}],
  ['store_memory', WRITE, { type: 'core', content: 'Likes tea.' }],
  ['update_memory', WRITE, { id: record, content: 'Likes coffee.' }],
  ['delete_memory', WRITE, { id: record }],
  ['delete_memory', WRITE, { id: record, permanent: true }],
  ['recall', READ, { key: 'plan' }],
  ['search_memories', READ, { query: 'ship' }],
  ['list_memories', READ, {}],
  ['list_tags', READ, {}],
  ['memory_history', READ, { key: 'plan' }],
  ['relate_memories', READ, { key: 'plan' }],
  ['summarize_context', READ, { topic: 'work' }],
  ['pack_context', READ, { topic: 'ship' }],
  ['ping', READ, {}],
  ['remember', WRITE, { key: 'plan', value: 'Wait.' }],
  ['remember_if_absent', WRITE, { key: 'other', value: 'Wait.' }],
  ['remember_blob', WRITE, { key: 'image', data: 'AAEC', content_type: 'image/png' }],
  ['restore_memory', WRITE, { key: 'plan', version_timestamp: '2020-01-01T00:00:00Z' }],
  ['forget', WRITE, { key: 'other' }],
  ['forget_all', WRITE, { tag: 'scrap' }],
  ['redact_memory', WRITE, { key: 'image' }],
  ['memory', READ, { command: 'read', path: '/today' }],
  ['memory', READ, { command: 'list', path: '/' }],
  ['memory', WRITE, { command: 'append', path: '/today', content: 'more' }],
  ['memory', WRITE, { command: 'update', path: '/today', oldContent: 'first', content: 'second' }],
  ['memory', WRITE, { command: 'delete', path: '/scrap' }],
]

/** A URI for each resource, by its template. */
const resources = ({ node, snapshot }: Planted): Record<string, readonly [NeededScope, string]> => ({
  'remindb://overview': [READ, 'remindb://overview'],
  'remindb://files': [READ, 'remindb://files'],
  'remindb://tree': [READ, 'remindb://tree'],
  'remindb://tree/{rootId}{?depth}': [READ, `remindb://tree/${node}?depth=1`],
  'remindb://graph': [READ, 'remindb://graph'],
  'remindb://snapshots': [READ, 'remindb://snapshots'],
  'remindb://snapshots{?limit}': [READ, 'remindb://snapshots?limit=1'],
  'remindb://snapshots/{id}/diffs': [READ, `remindb://snapshots/${snapshot}/diffs`],
  'remindb://temperature': [READ, 'remindb://temperature'],
  'remindb://doctor': [ADMIN, 'remindb://doctor'],
  'remindb://logs': [ADMIN, 'remindb://logs'],
  'remindb://sessions': [ADMIN, 'remindb://sessions'],
  'remindb://sessions/history': [ADMIN, 'remindb://sessions/history'],
  'remindb://sessions/history/{hash}': [ADMIN, 'remindb://sessions/history/0123456789abcdef'],
  'remindb://sessions/logs': [ADMIN, 'remindb://sessions/logs'],
  'remindb://sessions/logs/{id}': [ADMIN, 'remindb://sessions/logs/unknown'],
  'remindb://rescan': [ADMIN, 'remindb://rescan'],
  'remindb://tree{?depth,cursor,limit}': [READ, 'remindb://tree?limit=1'],
  'remindb://tree/{rootId}{?depth,cursor,limit}': [READ, `remindb://tree/${node}?limit=1`],
  'remindb://graph{?cursor,limit}': [READ, 'remindb://graph?limit=1'],
  'remindb://snapshots{?cursor,limit}': [READ, 'remindb://snapshots?limit=1'],
  'remindb://log{?cursor,author,operation,path}': [READ, 'remindb://log?cursor=start'],
  'remindb://snapshots/{id}/diffs{?cursor,limit}': [READ, `remindb://snapshots/${snapshot}/diffs?limit=1`],
  'remindb://temperature{?cursor,limit}': [READ, 'remindb://temperature?limit=1'],
  'remindb://search{?q,limit}': [READ, 'remindb://search?q=friday'],
  'remindb://at/{moment}/tree{?root,depth,cursor,limit}': [READ, `remindb://at/${snapshot}/tree?limit=1`],
  'remindb://at/{moment}/node/{id}': [READ, `remindb://at/now/node/${node}`],
  'remindb://changes/{from}/{to}{?cursor,limit}': [READ, `remindb://changes/1/${snapshot}`],
  'remindb://audit': [ADMIN, 'remindb://audit'],
  'remindb://audit{?cursor,limit}': [ADMIN, 'remindb://audit?limit=1'],
  'memory://recent': [READ, 'memory://recent'],
  'memory://recent{?limit,since,tags}': [READ, 'memory://recent?limit=1'],
  'memory://core': [READ, 'memory://core'],
  'memory://core{?limit,since,tags}': [READ, 'memory://core?limit=1'],
  'memory://learnings': [READ, 'memory://learnings'],
  'memory://learnings{?limit,since,tags}': [READ, 'memory://learnings?limit=1'],
  'memory://tasks/active': [READ, 'memory://tasks/active'],
  'memory://tasks/active{?limit,since,tags}': [READ, 'memory://tasks/active?limit=1'],
  'memory://tasks/completed': [READ, 'memory://tasks/completed'],
  'memory://tasks/completed{?limit,since,tags}': [READ, 'memory://tasks/completed?limit=1'],
  'memory://custom/{view}{?limit,since,tags}': [READ, 'memory://custom/unknown'],
  'memory://_index': [READ, 'memory://_index'],
  'memory://{key}': [READ, 'memory://plan'],
  'memory://_key/{key}': [READ, 'memory://_key/core'],
})

/** Others' keys, and names that nothing has, are not found. */
const UNKNOWN = ['{hash}', 'logs/{id}', '{view}', '{key}']

const PROMPTS: Record<string, readonly [NeededScope, Record<string, string>]> = {
  'summarize-cold': [WRITE, {}],
  'recall-context': [READ, { topic: 'work' }],
  'what-do-you-know-about': [READ, { query: 'ship' }],
  'remember-this': [WRITE, { key: 'plan', value: 'Wait.' }],
  'forget-older-than': [WRITE, { days: '30' }],
}

/** Of each method that the dispatcher answers. Who adds one adds its surfaces here: it does not compile without. */
const METHODS: Record<Method, (planted: Planted) => Surface[]> = {
  'tools/list': () => [plain('tools/list')],
  'tools/call': (planted) =>
    tools(planted).map(([name, needs, args]) => ({
      ...{ name: `tool ${name} ${JSON.stringify(Object.values(args))}`, needs },
      asked: { method: 'tools/call', params: { name, arguments: args } },
      ...(needs === 'operator' && { answers: NEVER }),
    })),
  'resources/list': () => [plain('resources/list')],
  'resources/templates/list': () => [plain('resources/templates/list')],
  'resources/read': (planted) => ofResources('resources/read', planted),
  'resources/subscribe': (planted) => ofResources('resources/subscribe', planted),
  'resources/unsubscribe': (planted) =>
    Object.values(resources(planted)).map(([, uri]) => ({
      ...{ name: `resources/unsubscribe ${uri}`, needs: READ, answers: OLD },
      asked: { method: 'resources/unsubscribe', params: { uri } },
    })),
  'prompts/list': () => [plain('prompts/list')],
  'prompts/get': () =>
    Object.entries(PROMPTS).map(([name, [goesWith, args]]) => ({
      ...{ name: `prompt ${name}`, needs: READ, goesWith },
      asked: { method: 'prompts/get', params: { name, arguments: args } },
    })),
}

/** What the SDK answers, or refuses. */
const OF_THE_SDK: readonly Surface[] = [
  { ...plain('ping'), answers: OLD },
  { ...plain('logging/setLevel', { level: 'error' }), answers: OLD },
  { ...plain('server/discover'), answers: NEW },
  { ...plain('initialize', INITIALIZE.params), answers: NEVER },
  { ...plain('completion/complete', completion('plan')), answers: NEVER },
  { ...plain('no/such/method'), answers: NEVER },
]

function plain(method: string, params?: Record<string, unknown>): Surface {
  return { name: method, needs: READ, asked: { method, ...(params && { params }) } }
}

function completion(value: string) {
  return { ref: { type: 'ref/resource', uri: 'memory://{key}' }, argument: { name: 'key', value } }
}

function ofResources(method: string, planted: Planted): Surface[] {
  const isUnknown = (template: string): boolean => UNKNOWN.some((part) => template.includes(part))
  return Object.entries(resources(planted)).map(([template, [needs, uri]]) => ({
    ...{ name: `${method} ${template}`, needs },
    asked: { method, params: { uri } },
    ...(method === 'resources/subscribe' || isUnknown(template) ? { answers: NEVER } : {}),
  }))
}

/** Everything that is asked for by a message and answered by one. */
export function surfacesOf(planted: Planted): Surface[] {
  return [...Object.values(METHODS).flatMap((make) => make(planted)), ...OF_THE_SDK]
}

const NOTHING: Planted = { node: '', scrap: '', record: '', snapshot: 1 }

/** Names that have a row. */
export const ROWS = {
  tools: [...new Set(tools(NOTHING).map(([name]) => name))],
  resources: Object.keys(resources(NOTHING)),
  prompts: Object.keys(PROMPTS),
}
