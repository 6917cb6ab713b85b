import { expect, test } from 'vitest'
import { type Memory, openMemory } from '../../src/index.ts'
import { openIn, temporaryFolder } from '../support/engine.ts'

/** What a caller without types can do to it. */
type Untyped = Record<keyof Memory, (...args: unknown[]) => Promise<unknown>>

const CALLS: [name: string, call: (memory: Untyped) => Promise<unknown>, message: RegExp][] = [
  ['write()', (memory) => memory.write(), /^write needs { payload }/],
  ['write({})', (memory) => memory.write({}), /^write needs { payload }/],
  ['summarize({ id })', (memory) => memory.summarize({ id: 'x' }), /^summarize needs { id, summary }/],
  ['forget("id")', (memory) => memory.forget('id'), /^the node id must be a string$/],
  ['pin({ id: 5 })', (memory) => memory.pin({ id: 5 }), /^the node id must be a string$/],
  ['unpin()', (memory) => memory.unpin(), /^the node id must be a string$/],
  [
    'erase()',
    (memory) => memory.erase(),
    /^a document is named by { kind, root, path }, where kind is one of/,
  ],
  ['erase("a.md")', (memory) => memory.erase('a.md'), /^a document is named by { kind, root, path }/],
  ['erase of a kind', (memory) => memory.erase({ kind: 'toString' }), /where kind is one of source, note/],
  [
    'erase of no path',
    (memory) => memory.erase({ kind: 'source' }),
    /^a document is .* { kind, root, path }$/,
  ],
  ['findDocuments()', (memory) => memory.findDocuments(), /^findDocuments needs the name of a document/],
  ['related()', (memory) => memory.related(), /^related needs { anchor }/],
  ['compile()', (memory) => memory.compile(), /^compile needs the path of a folder or file$/],
  ['search()', (memory) => memory.search(), /^search needs { query }: a string$/],
  ['search("words")', (memory) => memory.search('words'), /^search needs { query }/],
  ['fetch()', (memory) => memory.fetch(), /^fetch needs { anchor }/],
  ['fetch("id")', (memory) => memory.fetch('id'), /^fetch needs { anchor }/],
  ['fetchBatch()', (memory) => memory.fetchBatch(), /^fetchBatch needs { ids }/],
  ['fetchBatch({ ids: "a" })', (memory) => memory.fetchBatch({ ids: 'a' }), /^fetchBatch needs { ids }/],
  ['tree({ root: 5 })', (memory) => memory.tree({ root: 5 }), /^the node id must be a string$/],
  ['tree({ after: 5 })', (memory) => memory.tree({ after: 5 }), /^after must be the after=/],
  ['tree({ limit: "9" })', (memory) => memory.tree({ limit: '9' }), /^limit must be a positive whole number/],
  ['tree(null)', (memory) => memory.tree(null), /^tree needs an object/],
  ['delta()', (memory) => memory.delta(), /^since must be the number of a snapshot/],
  ['delta after 5', (memory) => memory.delta({ since: 0, after: 5 }), /^after must be the after=/],
  ['diff()', (memory) => memory.diff(), /^diff needs { from, to }: the numbers of two snapshots/],
  ['diff from {}', (memory) => memory.diff({ from: {}, to: 1 }), /^diff needs { from, to }/],
  ['diff from NaN', (memory) => memory.diff({ from: Number.NaN, to: 1 }), /^diff needs { from, to }/],
  ['history()', (memory) => memory.history(), /^history needs { id }/],
  ['history({ id: {} })', (memory) => memory.history({ id: {} }), /^history needs { id }/],
  ['history after 5', (memory) => memory.history({ id: 'x', after: 5 }), /^after must be the after=/],
  ['snapshots before {}', (memory) => memory.snapshots({ before: {} }), /^before must be the number of/],
  ['warm()', (memory) => memory.warm(), /^warm needs a list of the ids of nodes$/],
  ['warm("id")', (memory) => memory.warm('id'), /^warm needs a list of the ids of nodes$/],
  ['search of a limit', (memory) => memory.search({ query: 'a', limit: Symbol('s') }), /got a symbol$/],
  [
    'fetch of a depth',
    (memory) => memory.fetch({ anchor: 'a', depth: Object.create(null) }),
    /got an object$/,
  ],
  ['related of a budget', (memory) => memory.related({ anchor: 'a', budget: [] }), /got an object$/],
  ['export()', (memory) => memory.export(), /^export needs a function/],
  ['import()', (memory) => memory.import(), /^import needs the pieces of an export/],
  ['memoryNode()', async (memory) => memory.memoryNode(), /^the config of a memory node must be an object/],
  [
    'append of no text',
    (memory) =>
      (memory as unknown as Memory)
        .memoryNode({ id: 'M', scope: 'global' })
        .getMemoryService()
        .append('/f', 5 as never),
    /^append needs path and content/,
  ],
  [
    'read of no path',
    (memory) =>
      (memory as unknown as Memory)
        .memoryNode({ id: 'M', scope: 'global' })
        .getMemoryService()
        .read(5 as never),
    /^path must be a string/,
  ],
]

test.each(CALLS)('%s says what to give', async (_, call, message) => {
  await using memory = await openIn(temporaryFolder())
  await memory.write({ payload: 'A note.' })
  const error = await call(memory as unknown as Untyped).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'MemoryError', code: 'INVALID_INPUT' })
  expect((error as Error).message).toMatch(message)
})

test('openMemory() says what to give', async () => {
  const open = openMemory as unknown as () => Promise<unknown>
  await expect(open()).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringMatching(/^openMemory needs { db }/),
  })
})
