import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { temporaryFolder } from './cli.ts'
import { defaultAnswers, type LargeMemory } from './large-memory.ts'

type Args = Record<string, unknown>

/** One tool, and arguments that are as large as they may be. */
export type Step = [tool: string, args?: Args]

/** A memory with few items, each as large as it may be: a path, a heading, nested JSON. `filling` is what texts are made of. */
export interface LargestItems extends Pick<LargeMemory, 'text'>, AsyncDisposable {
  steps: () => AsyncIterable<Step>
}

export async function openLargestItems(filling: string): Promise<LargestItems> {
  const fill = (length: number): string => filling.repeat(length)
  const folders = Array.from({ length: 14 }, (_, at) => `${at}${'n'.repeat(230)}`)
  const text = `# ${fill(20_000)}\n\n[[${'l'.repeat(3000)}]] ${fill(20_000)}\n`
  const folder = temporaryFolder({
    [`${folders.join('/')}/leaf.md`]: `---\ntitle: "${'t'.repeat(5000)}"\n---\n${text}`,
    'nested.json': JSON.stringify(nestedObject(30, fill(3000))),
    'other.md': '# Other\n\nSee [[leaf]].\n',
  })
  const memory = await openMemory({ db: folder.path, settings: { 'store.synchronous': 'normal' } })
  await memory.compile(folder.path)
  const { nodes } = await memory.tree({ depth: 128, limit: 1000, warm: false })
  const ids = nodes.map(({ id }) => id)
  const answers = defaultAnswers({ memory, folder: folder.path })
  return {
    text: answers,
    async *steps() {
      yield* treeSteps(fill, ids, folder.path)
      const [task] = (await memory.records.query({ limit: 1 })).memories
      yield* recordSteps(fill, task?.id)
      for (const tags of [[fill(4000)], Array.from({ length: 8 }, (_, at) => `${at}${fill(1000)}`)])
        yield* keySteps(fill, tags)
      yield* fileSteps(fill)
      yield* failingSteps(fill)
    },
    async [Symbol.asyncDispose]() {
      await memory.close()
      folder[Symbol.dispose]()
    },
  }
}

function nestedObject(levels: number, text: string): unknown {
  return levels === 0 ? text : { [`${'k'.repeat(300)}${levels}`]: nestedObject(levels - 1, text) }
}

type Fill = (length: number) => string

function* treeSteps(fill: Fill, ids: string[], folder: string): Iterable<Step> {
  for (const id of ids) {
    for (const tool of ['MemoryTree', 'MemoryFetch', 'MemoryRelated', 'MemoryHistory', 'MemoryPin'])
      yield [tool, { id }]
    yield ['MemoryUnpin', { id }]
  }
  const [first, second] = ids
  yield ['MemorySummarize', { id: first, summary: fill(3000) }]
  yield ['MemoryHistory', { id: first }]
  yield ['MemoryFetchBatch', { ids }]
  yield ['MemoryRelate', { source_id: first, target_label: fill(4096) }]
  yield ['MemoryRelate', { source_id: first, target_label: fill(4000), target_source: fill(4096) }]
  yield ['MemoryTree']
  for (const depth of [0, 128]) yield ['MemoryTree', { depth }]
  for (const query of ['other', 'k'.repeat(20), fill(5000)]) yield ['MemorySearch', { query }]
  yield ['MemoryDelta']
  yield ['MemoryDiff', { from_snapshot_id: 0, to_snapshot_id: 2 }]
  yield ['MemoryStats']
  yield ['MemoryWrite', { payload: `# ${fill(30_000)}\n\n${fill(30_000)}` }]
  yield ['MemoryWrite', { id: second, payload: `# ${fill(30_000)}` }]
  yield ['MemoryCompile', { path: folder, message: fill(4096) }]
  yield ['MemoryCompile', { path: `${folder}/${fill(3900)}` }]
  yield ['MemoryForget', { id: second }]
  yield ['MemoryRollback', { snapshot_id: 1 }]
  yield ['MemoryRestore', { revert: 1 }]
  yield ['store_memory', { type: 'task', ...largestTask(fill) }]
}

/** Everything that a task may have, as long as it may be. */
export function largestTask(fill: Fill): Args {
  const numbered = (count: number, length: number): string[] =>
    Array.from({ length: count }, (_, at) => `${String(at).padStart(2, '0')}${fill(length - 2)}`)
  return {
    ...{ content: fill(5000), category: fill(50), tags: numbered(10, 30) },
    task_metadata: { status: 'blocked', blockers: numbered(20, 500), outcome: fill(1000) },
  }
}

function* recordSteps(fill: Fill, id: string | undefined): Iterable<Step> {
  const task = largestTask(fill)
  yield ['store_memory', { type: 'task', ...task, id }]
  yield ['update_memory', { id, ...task }]
  for (const args of [{}, { id }, { tags: task.tags }]) yield ['query_memories', args]
  yield ['get_memory_stats']
  yield ['delete_memory', { id }]
}

function* keySteps(fill: Fill, tags: string[]): Iterable<Step> {
  const key = fill(512)
  const bytes = { key: `b${fill(511)}`, data: btoa('x'), content_type: `image/${'x'.repeat(249)}`, tags }
  yield ['ping']
  for (const length of [3000, 50_000]) yield ['remember', { key, value: fill(length), tags }]
  yield ['remember', { key, value: 'mine', version: 'v'.repeat(64) }]
  yield ['remember', { key: 'second', value: `${fill(3000)} word`, tags }]
  yield ['remember_if_absent', { key, value: 'x' }]
  yield ['remember_blob', bytes]
  yield ['recall', { key }]
  yield ['memory_history', { key }]
  for (const args of [{}, { tag: tags[0] }, { include_redacted: true }]) yield ['list_memories', args]
  yield ['list_tags']
  for (const query of ['word', fill(9000)]) yield ['search_memories', { query }]
  for (const one of [key, 'second']) yield ['relate_memories', { key: one }]
  yield ['summarize_context', { topic: tags[0] }]
  for (const topic of ['word', fill(3000)]) yield ['pack_context', { topic }]
  yield ['restore_memory', { key, version_timestamp: 'v'.repeat(9000) }]
  yield ['redact_memory', { key: bytes.key, reason: fill(4000) }]
  yield ['list_memories', { include_redacted: true }]
  for (const one of [key, bytes.key]) yield ['forget', { key: one }]
  yield ['forget_all', { tag: tags[0] }]
}

function* fileSteps(fill: Fill): Iterable<Step> {
  const path = `/${'p'.repeat(2000)}/${'p'.repeat(2000)}`
  yield ['memory', { command: 'append', path, content: fill(9000) }]
  yield ['memory', { command: 'update', path, oldContent: fill(9000), content: fill(9000) }]
  yield ['memory', { command: 'delete', path }]
  for (const command of ['read', fill(9000)]) yield ['memory', { command, path: `/${fill(4000)}` }]
  yield ['memory', { command: 'read', path, [fill(9000)]: 'x' }]
}

/** Arguments that are refused, with what was given. */
function* failingSteps(fill: Fill): Iterable<Step> {
  const long = fill(9000)
  yield ['MemoryFetch', { id: long }]
  yield ['MemorySearch', { query: 'x', [long]: long }]
  yield ['query_memories', { type: long }]
  yield ['store_memory', { type: 'core', content: 'x', [long]: 'x' }]
  for (const tool of ['recall', 'forget']) yield [tool, { key: long }]
  yield ['list_memories', { cursor: long }]
}
