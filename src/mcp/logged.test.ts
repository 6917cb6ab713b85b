import { expect, test } from 'vitest'
import { toolsOf } from './toolsets.ts'

const ID = '25FHWVYdid1'
const UUID = 'b7e3c1a0-5d2f-4c8e-9a1b-0123456789ab'
const SECRET = 'what nobody else may read'

/** Every argument that is a text, filled with something private; ids with it too, as a confused client would. */
const CALLS: Record<string, Record<string, unknown>> = {
  MemoryTree: { id: SECRET, after: SECRET, depth: 2 },
  MemorySearch: { query: SECRET, budget: 100 },
  MemoryFetch: { id: SECRET, budget: 100, depth: 1 },
  MemoryFetchBatch: { ids: [SECRET, ID] },
  MemoryDelta: { since_snapshot: 3, after: SECRET },
  MemoryDiff: { from_snapshot_id: 1, to_snapshot_id: 2, after: SECRET },
  MemoryHistory: { id: SECRET, full: true, after: SECRET },
  MemoryRelated: { id: SECRET, direction: 'in', weight_min: 2 },
  MemoryStats: {},
  MemoryWrite: { payload: SECRET, id: SECRET, parent: SECRET, expected_version: 4 },
  MemorySummarize: { id: SECRET, summary: SECRET, temperature: 0.5 },
  MemoryCompile: { path: 'docs', message: SECRET },
  MemoryRelate: {
    source_id: SECRET,
    target_id: SECRET,
    target_label: SECRET,
    target_source: SECRET,
    weight: 2,
  },
  MemoryForget: { id: SECRET, mode: 'cascade' },
  MemoryRollback: { snapshot_id: 3, drop_after: true },
  MemoryRestore: { id: SECRET, snapshot: SECRET, force: true },
  MemoryPin: { id: SECRET, temperature: 0.5 },
  MemoryUnpin: { id: SECRET },
  memory: { path: SECRET, command: SECRET, content: SECRET, oldContent: SECRET },
  ping: {},
  remember: { key: SECRET, value: SECRET, tags: [SECRET], ttl_seconds: 5, version: SECRET },
  remember_if_absent: { key: SECRET, value: SECRET, tags: [SECRET] },
  remember_blob: { key: SECRET, data: SECRET, content_type: SECRET, tags: [SECRET] },
  recall: { key: SECRET },
  forget: { key: SECRET },
  forget_all: { tag: SECRET },
  redact_memory: { key: SECRET, reason: SECRET },
  memory_history: { key: SECRET },
  restore_memory: { key: SECRET, version_timestamp: SECRET },
  list_memories: { tag: SECRET, limit: 3, cursor: SECRET },
  list_tags: {},
  summarize_context: { topic: SECRET },
  search_memories: { query: SECRET, top_k: 3, filter_tags: [SECRET] },
  relate_memories: { key: SECRET },
  pack_context: { topic: SECRET, budget_tokens: 10, ordering: SECRET },
  store_memory: {
    ...{ type: 'task', content: SECRET, category: SECRET, tags: [SECRET], id: UUID },
    task_metadata: { status: 'blocked', completed_at: SECRET, blockers: [SECRET], outcome: SECRET },
  },
  query_memories: { tags: [SECRET], search: SECRET, category: SECRET, limit: 3 },
  update_memory: { id: UUID, content: SECRET, category: SECRET, tags: [SECRET], archived: true },
  delete_memory: { id: UUID, permanent: true },
  get_memory_stats: {},
}

const fieldsOf = (name: string, args: unknown) => {
  const tool = toolsOf(['all']).find((known) => known.name === name)
  return tool?.logged(tool.input.parse(args))
}

test.each(toolsOf(['all']).map(({ name }) => name))('a log of %s has nothing that somebody wrote', (name) => {
  expect(JSON.stringify(fieldsOf(name, CALLS[name]))).not.toContain('nobody')
})

test('a log has ids, counts and sizes', () => {
  expect(fieldsOf('MemorySearch', { query: 'tö', budget: 100 })).toEqual({ query_bytes: 3, budget: 100 })
  expect(fieldsOf('MemoryFetchBatch', { ids: [ID, ID] })).toEqual({ ids: 2 })
  expect(fieldsOf('MemoryFetch', { id: ID, depth: 3 })).toEqual({ anchor: ID, depth: 3 })
  expect(fieldsOf('MemoryWrite', { payload: 'abc', id: ID })).toEqual({ anchor: ID, payload_bytes: 3 })
  expect(fieldsOf('MemoryCompile', { path: 'docs' })).toEqual({ path: 'docs', message_bytes: 0 })
  expect(fieldsOf('MemoryForget', { id: 'a b' })).toEqual({ node_id: 'no id, 3 bytes' })
  expect(fieldsOf('store_memory', { type: 'core', content: 'tö', tags: ['a'] })).toEqual({
    ...{ type: 'core', content_bytes: 3, tags: 1 },
  })
  expect(fieldsOf('query_memories', { search: 'tö', limit: 3 })).toEqual({ search_bytes: 3, limit: 3 })
  expect(fieldsOf('delete_memory', { id: UUID, permanent: true })).toEqual({ id: UUID, permanent: true })
})
