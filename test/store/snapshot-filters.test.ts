import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Address } from '../../src/core/model.ts'
import type { SnapshotFilter } from '../../src/core/port/history.ts'
import type { Engine, Store } from '../../src/core/port/store.ts'
import { openInMemory } from '../../src/store/memory/engine.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { temporaryFolder } from '../support/engine.ts'
import {
  ABOUT,
  addDocument,
  change,
  commit,
  hash,
  put,
  source,
  type TestNode,
} from '../support/store-changes.ts'

const NAMES = ['a', 'a/b', 'a/b.md', 'ab', 'a-b', 'A', 'a%', 'ü', '']
const AUTHORS = ['ada', 'bob', "o'neil", '%', '']

const name = fc.constantFrom(...NAMES.slice(0, -1))
const step = fc.record({
  kind: fc.constantFrom('file', 'key', 'edit', 'move', 'nothing', 'drop'),
  name,
  root: fc.constantFrom('docs', 'other'),
  at: fc.nat(20),
  author: fc.constantFrom(...AUTHORS),
  operation: fc.constantFrom('write', 'compile'),
  wait: fc.nat(3),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const place: fc.Arbitrary<Address> = fc.oneof(
  fc
    .record({ path: fc.constantFrom(...NAMES), root: fc.constantFrom('docs', 'other') })
    .map(({ path, root }) => source(path, root)),
  name.map((key): Address => ({ kind: 'key', key })),
)
const filter = fc.record(
  {
    author: fc.constantFrom(...AUTHORS),
    operation: fc.constantFrom('write', 'compile', 'none'),
    within: fc.array(place, { maxLength: 3 }),
    since: fc.nat(40).map((more) => ABOUT.createdAt + more),
    until: fc.nat(40).map((more) => ABOUT.createdAt + more),
    after: fc.nat(12),
    before: fc.nat({ max: 14 }),
  },
  { requiredKeys: [] },
)

test('both engines list the same snapshots for any filter, and pages show each once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.array(filter, { minLength: 5, maxLength: 12 }),
      async (steps, filters) => {
        const file = join(temporaryFolder(), 'memory.db')
        const engines: Engine[] = [
          await openInMemory({ hash }),
          await openSqlite({ file, hash, create: true, writer: 'here' }),
        ]
        const [inMemory, sqlite] = engines.map(({ store }) => store) as [Store, Store]
        try {
          for (const store of [inMemory, sqlite]) await run(store, steps)
          for (const one of filters) {
            const found = await idsOf(sqlite, { ...one, limit: 100 })
            expect(found, JSON.stringify(one)).toEqual(await idsOf(inMemory, { ...one, limit: 100 }))
            expect(await inPages(sqlite, one, 2)).toEqual(found)
          }
          const counts = (store: Store) => store.read((tx) => tx.changeCounts([3, 1, 2, 99], 2))
          expect(await counts(sqlite)).toEqual(await counts(inMemory))
          const moves = (store: Store) => store.read((tx) => tx.documentMoves([2, 1, 3]))
          expect(await moves(sqlite)).toEqual(await moves(inMemory))
        } finally {
          for (const engine of engines) await engine.close()
        }
      },
    ),
    { numRuns: 40 },
  )
})

/** The same steps have the same effect in every engine. */
async function run(store: Store, steps: readonly Step[]): Promise<void> {
  const nodes: TestNode[] = []
  const taken = new Set<string>()
  let time = ABOUT.createdAt
  for (const [count, { kind, name, root, at, wait, ...about }] of steps.entries()) {
    time += wait * 3
    const by = { ...about, createdAt: time }
    const node = nodes[at % Math.max(1, nodes.length)]
    const address: Address = kind === 'key' ? { kind, key: name } : source(name, root)
    const isFree = !taken.has(JSON.stringify(address))
    if ((kind === 'file' || kind === 'move') && isFree) taken.add(JSON.stringify(address))
    if (kind === 'file' && isFree)
      nodes.push(...(await addDocument(store, address, [{ id: `n${count}`, text: `${count}` }])).nodes)
    else if (kind === 'key') await commit(store, (tx, id) => put(tx, id, address, `${count}`), by)
    else if (kind === 'edit' && node)
      await commit(store, (tx, id) => tx.applyChanges(id, [change('mod', { ...node, text: `${count}` })]), by)
    else if (kind === 'move' && node && isFree)
      await commit(store, (tx) => tx.moveDocuments([{ documentId: node.documentId, address }]), by)
    else await commit(store, async () => undefined, by)
  }
}

type Page = SnapshotFilter & { after?: number; before?: number; limit: number }

async function idsOf(store: Store, page: Page): Promise<number[]> {
  return (await store.read((tx) => tx.snapshots(page))).map(({ id }) => id)
}

async function inPages(store: Store, given: Omit<Page, 'limit'>, limit: number): Promise<number[]> {
  const seen: number[] = []
  for (let page = await idsOf(store, { ...given, limit }); page.length > 0; ) {
    seen.push(...page)
    page = await idsOf(store, { ...given, limit, before: page.at(-1) as number })
  }
  return seen
}
