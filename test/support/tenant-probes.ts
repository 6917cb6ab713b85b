import { THREAD_META } from '../../src/mcp/tools/files/memory.ts'
import type { RawAnswer } from './raw-client.ts'
import { type Actor, pick, UNKNOWN_UUID } from './tenant-calls.ts'

/** Asks for what somebody else has, by its name, and for something of that form that nobody has. */
export interface Probe {
  theirs: string
  nobodys: string
  ask(word: string): Promise<RawAnswer>
}

const NOBODY = 'chartreusenx'
const NO_SPACE = 'nonspacemark'
const NO_NODE = 'zzzzzzzzzzz'
const NO_KEY = 'zzzzzzzz'
const NO_SESSION = 'z'.repeat(32)

const TOOLS_BY_KEY = ['recall', 'forget', 'memory_history', 'relate_memories', 'redact_memory']
const TOOLS_BY_NODE = [
  'MemoryFetch',
  'MemoryHistory',
  'MemoryRelated',
  'MemoryPin',
  'MemoryUnpin',
  'MemoryForget',
]
const TOOLS_BY_RECORD = ['query_memories', 'update_memory', 'delete_memory']
const TOOLS_BY_TAG: Record<string, string> = {
  list_memories: 'tag',
  forget_all: 'tag',
  summarize_context: 'topic',
  pack_context: 'topic',
  MemorySearch: 'query',
  search_memories: 'query',
}

/** Of a client of another space, by everything that it could be guessed by. */
export function probesOfSpace(actor: Actor, other: Actor): Probe[] {
  const { raw } = actor
  const call = (name: string, args: object): Promise<RawAnswer> =>
    raw.ask('tools/call', { name, arguments: args })
  const read = (uri: string): Promise<RawAnswer> => raw.ask('resources/read', { uri })
  const { marker, space, keyId } = other.tenant
  const byWord = (ask: Probe['ask']): Probe => ({ theirs: marker, nobodys: NOBODY, ask })
  const key = keyOf(other)
  const id = pick(other, other.nodes)
  const record = pick(other, other.records)
  return [
    ...TOOLS_BY_KEY.map((name) => byWord((word) => call(name, { key: key.replace(marker, word) }))),
    ...Object.entries(TOOLS_BY_TAG).map(([name, argument]) =>
      byWord((word) => call(name, { [argument]: word })),
    ),
    byWord((word) => read(`remindb://search?q=${word}`)),
    byWord((word) => read(`remindb://${word}`)),
    byWord((word) => read(`memory://core?tags=${word}`)),
    byWord((word) => read(`memory://custom/${word}`)),
    byWord((word) => read(`remindb://sessions/history/${word}`)),
    byWord((word) => call(word, {})),
    byWord((word) => call('MemoryCompile', { path: word })),
    byWord((word) => raw.ask('prompts/get', { name: word })),
    byWord((word) => raw.ask('prompts/get', { name: 'recall-context', arguments: { topic: word } })),
    byWord((word) => raw.ask('prompts/get', { name: 'what-do-you-know-about', arguments: { query: word } })),
    byWord((word) => raw.ask(word)),
    { theirs: space, nobodys: NO_SPACE, ask: (word) => raw.http('GET', `/s/${word}/keys`) },
    { theirs: space, nobodys: NO_SPACE, ask: (word) => raw.http('POST', `/s/${word}/mcp`, { body: {} }) },
    ...(id === undefined
      ? []
      : [
          ...TOOLS_BY_NODE.map((name) => ({
            theirs: id,
            nobodys: NO_NODE,
            ask: (word: string) => call(name, { id: word }),
          })),
          { theirs: id, nobodys: NO_NODE, ask: (word: string) => read(`remindb://tree/${word}`) },
        ]),
    ...(record === undefined
      ? []
      : TOOLS_BY_RECORD.map((name) => ({
          theirs: record,
          nobodys: UNKNOWN_UUID,
          ask: (word: string) => call(name, { id: word }),
        }))),
    ...probesOfClient(actor, other),
    { theirs: keyId, nobodys: NO_KEY, ask: (word) => read(`remindb://sessions/logs/${word}`) },
  ]
}

/** Of another client, of the same space or not. */
export function probesOfClient(actor: Actor, other: Actor): Probe[] {
  const { raw } = actor
  const { marker, keyId } = other.tenant
  const key = keyOf(other)
  const threadOf = (word: string): string => other.prefix.replace(marker, word)
  const space = actor.tenant.space
  const byWord = (ask: Probe['ask']): Probe => ({ theirs: marker, nobodys: NOBODY, ask })
  const inThread = (threadId: string, args: object): Promise<RawAnswer> =>
    raw.ask('tools/call', { name: 'memory', arguments: args, _meta: { [THREAD_META]: threadId } })
  return [
    ...['', '_key/'].map((form) =>
      byWord((word) => raw.ask('resources/read', { uri: `memory://${form}${key.replace(marker, word)}` })),
    ),
    ...['read', 'delete'].map((command) =>
      byWord((word) => inThread(threadOf(word), { path: `/${threadOf(word)}`, command })),
    ),
    byWord((word) => inThread(threadOf(word), { path: '/', command: 'list' })),
    { theirs: keyId, nobodys: NO_KEY, ask: (word) => raw.http('DELETE', `/s/${space}/keys/${word}`) },
    ...(other.raw.sessionId === undefined
      ? []
      : ['GET', 'POST', 'DELETE'].map((method) => ({
          theirs: other.raw.sessionId as string,
          nobodys: NO_SESSION,
          ask: (word: string) =>
            raw.http(method, '/mcp', {
              headers: { 'mcp-session-id': word, 'mcp-protocol-version': '2025-11-25' },
              ...(method === 'POST' && { body: { jsonrpc: '2.0', id: 1, method: 'ping' } }),
            }),
        }))),
  ]
}

/** One that it stored. */
function keyOf(other: Actor): string {
  return pick(other, [...other.keys]) ?? `${other.prefix}-key-1`
}

/** Both answers, without what says which was asked for, and without what changes from one moment to the next. */
export async function askBoth({ theirs, nobodys, ask }: Probe): Promise<[string, string]> {
  const bare = ({ status, text }: RawAnswer, word: string): string =>
    `${status}\n${text}`
      .replaceAll(word, 'X')
      .replace(/^id: .*$/gm, '')
      .replace(/"(id|used|remaining|per_minute_used|per_day_used)":\d+/g, '"$1":0')
      .replace(/"generated_at\\":\\"[^\\]+/g, '')
      .replace(/searched \d+ nodes|"nodes\\":\d+/g, 'nodes')
  return [bare(await ask(theirs), theirs), bare(await ask(nobodys), nobodys)]
}
