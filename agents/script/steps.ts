import { type BigMemory, TAG } from '../memory.ts'
import type { JsonObject } from '../model/conversation.ts'

/** What a scripted model calls, one step after the other. */
export type Step = CallStep | SearchStep

export interface CallStep {
  kind: 'call'
  name: string
  tool: string
  /** By the names that the tool's schema has, as the server sent it. */
  arguments(properties: JsonObject): JsonObject
  isError?: boolean
}

/** A search among tools, in programs that hide them until they are searched for. */
export interface SearchStep {
  kind: 'search'
  query: string
  /** Tools that would be right, any of them. */
  expected: readonly string[]
}

export const SEARCHES: readonly SearchStep[] = [
  { kind: 'search', query: 'remember a fact for later', expected: ['MemoryWrite'] },
  { kind: 'search', query: 'recall what is known about deploys', expected: ['MemorySearch', 'MemoryFetch'] },
  { kind: 'search', query: 'delete a note', expected: ['MemoryForget'] },
  { kind: 'search', query: 'undo a change', expected: ['MemoryRollback'] },
]

const call = (name: string, tool: string, args: CallStep['arguments'] | JsonObject = {}): CallStep => ({
  ...{ kind: 'call', name, tool },
  arguments: typeof args === 'function' ? (args as CallStep['arguments']) : () => args,
})

const refused = (step: CallStep): CallStep => ({ ...step, isError: true })

/** The first of these names that the schema has, with a value. */
const either = (properties: JsonObject, names: readonly string[], value: unknown): JsonObject => ({
  [names.find((name) => name in properties) ?? names[0] ?? '']: value,
})

const idArgument = (value: unknown) => (properties: JsonObject) =>
  either(properties, ['id', 'anchor', 'node_id'], value)

/** The default toolset: the tree. */
export const treeSteps = ({ query, longest, many }: BigMemory): Step[] => [
  // First: what is loaded for a call might not be searched any more.
  ...SEARCHES,
  call('outline', 'MemoryTree'),
  call('documents', 'MemoryTree', { depth: 0 }),
  call('search', 'MemorySearch', { query }),
  call('read', 'MemoryFetch', idArgument(longest)),
  call('read many', 'MemoryFetchBatch', (properties) => either(properties, ['ids', 'node_ids'], many)),
  call('changes', 'MemoryDelta'),
  call('write', 'MemoryWrite', { payload: 'Deploys run on Tuesdays, after the backup.' }),
  refused(call('unknown argument', 'MemorySearch', { query, colour: 'blue' })),
  refused(call('unknown id', 'MemoryFetch', idArgument('doesnotexist'))),
]

/** The other three toolsets: records, keys and files. */
export const doorSteps = ({ key }: BigMemory): Step[] => [
  call('store a record', 'store_memory', { type: 'learning', content: 'Deploys run on Tuesdays.' }),
  call('records', 'query_memories'),
  refused(call('unknown record argument', 'query_memories', { colour: 'blue' })),
  call('remember a key', 'remember', { key: 'deploys', value: 'Deploys run on Tuesdays.' }),
  call('recall a key', 'recall', { key }),
  call('keys', 'list_memories'),
  call('summary of keys', 'summarize_context', { topic: TAG }),
  refused(call('unknown key argument', 'recall', { key, colour: 'blue' })),
  call('append to a file', 'memory', { command: 'append', path: '/deploys', content: 'On Tuesdays.' }),
  call('read a file', 'memory', { command: 'read', path: `/notes/${key}` }),
  call('files', 'memory', { command: 'list', path: '/notes' }),
  refused(call('unknown file command', 'memory', { command: 'paint', path: '/deploys' })),
]

/** What an unattended program may call that was configured with the server and nothing else. */
export const unattendedSteps = ({ query, spare }: BigMemory): Step[] => [
  call('reads', 'MemorySearch', { query }),
  call('writes', 'MemoryWrite', { payload: 'Deploys run on Tuesdays, after the backup.' }),
  call('removes', 'MemoryForget', idArgument(spare)),
]
