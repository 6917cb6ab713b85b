import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Store } from '../../src/core/port/store.ts'
import { boostHeat, setHeat, takeNewlyCold } from '../../src/core/rows/heat.ts'
import { healthOf } from '../support/health.ts'
import { addDocument, change, commit, note, source, type TestNode } from '../support/store-changes.ts'
import { RATE, startClock, tickAfter } from '../support/store-heat.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

const names = 'abcdef'.split('')

async function sixNodes(store: Store): Promise<TestNode[]> {
  const texts = names.map((id) => ({ id, text: id }))
  const { nodes } = await addDocument(store, source('a.md'), texts)
  return nodes
}

const take = (store: Store, below: number, limit = 10): Promise<string[]> =>
  writing(store, async (tx) => (await takeNewlyCold(tx, { below, limit })).map(({ id }) => id))
const set = (store: Store, node: TestNode, value: number): Promise<void> =>
  writing(store, (tx) => setHeat(tx, [node.key], { value }))

/** `open` is for tests that use many memories and close them themselves. */
export function coldContract(openEmpty: OpenEmpty, open: OpenEmpty): void {
  async function memoryOfSix() {
    const { store } = await openEmpty()
    return { store, nodes: (await sixNodes(store)) as [TestNode, TestNode, TestNode, ...TestNode[]] }
  }

  test('lists the coldest first, stone-cold ones before all, without the pinned and the removed', async () => {
    const { store, nodes } = await memoryOfSix()
    for (const [at, value] of [0.3, 0, 0.2, 0.9, 0.01, 0.02].entries())
      await set(store, nodes[at] as TestNode, value)
    await writing(store, (tx) => setHeat(tx, [nodes[4]?.key ?? 0], { pinned: true }))
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: nodes[5]?.key ?? 0 }]))
    const rows = await store.read((tx) => tx.nodes({ order: 'coldest', limit: 10 }, 'brief'))
    expect(rows.map(({ id, temperature }) => [id, temperature])).toEqual([
      ['b', 0],
      ['c', 0.2],
      ['a', 0.3],
      ['d', 0.9],
    ])
    expect(rows[0]).toMatchObject({ key: nodes[1].key, label: 'b', source: 'a.md' })
    const below = (limit: number, threshold: number) =>
      store.read(async (tx) =>
        (await tx.nodes({ order: 'coldest', limit, below: threshold }, 'brief')).map(({ id }) => id),
      )
    expect(await below(10, 0.3)).toEqual(['b', 'c'])
    expect(await below(1, 0.3)).toEqual(['b'])
    expect(await below(10, 0)).toEqual([])
  })

  test('reports what is cold once, coldest first, and goes on where the limit cut it off', async () => {
    const { store, nodes } = await memoryOfSix()
    for (const [at, value] of [0.05, 0, 0.09, 0.5, 0.05, 0.1].entries())
      await set(store, nodes[at] as TestNode, value)
    expect(await take(store, 0.1, 3)).toEqual(['b', 'a', 'e'])
    expect(await take(store, 0.1, 3)).toEqual(['c'])
    expect(await take(store, 0.1, 3)).toEqual([])
  })

  test('reports a node again only after it was warm again', async () => {
    const { store } = await memoryOfSix()
    await startClock(store)
    await tickAfter(store, 40)
    expect(await take(store, 0.1)).toEqual(names)
    const boost = (by: number) => writing(store, (tx) => boostHeat(tx, [{ id: 'a', by, times: 1 }], 0))
    await boost(0.01)
    await tickAfter(store, 60)
    expect(await take(store, 0.1)).toEqual([])
    await boost(0.15)
    expect(await take(store, 0.1)).toEqual([])
    // Far enough for it to fall again before anybody looked.
    await tickAfter(store, 200)
    expect(await take(store, 0.1)).toEqual(['a'])
    expect(await take(store, 0.1)).toEqual([])
  })

  test('a node that is warmed a little while others still wait to be reported is not repeated', async () => {
    const { store, nodes } = await memoryOfSix()
    for (const node of nodes) await set(store, node, 0.01)
    expect(await take(store, 0.1, 2)).toEqual(['a', 'b'])
    await writing(store, (tx) => boostHeat(tx, [{ id: 'a', by: 0.05, times: 1 }], 0))
    expect(await take(store, 0.1)).toEqual(['c', 'd', 'e', 'f'])
  })

  test('another threshold repeats nobody', async () => {
    const { store, nodes } = await memoryOfSix()
    for (const [at, node] of nodes.entries()) await set(store, node, 0.04 + at / 10)
    expect(await take(store, 0.1)).toEqual(['a'])
    expect(await take(store, 0.3)).toEqual(['b', 'c'])
    expect(await take(store, 0.1)).toEqual([])
    expect(await take(store, 0.3)).toEqual([])
  })

  test('leaves out what is pinned or removed until it is back', async () => {
    const { store, nodes } = await memoryOfSix()
    const [a, b] = nodes
    for (const node of [a, b]) await set(store, node, 0.01)
    await writing(store, (tx) => setHeat(tx, [a.key], { pinned: true }))
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: b.key }]))
    expect(await take(store, 0.1)).toEqual([])
    await writing(store, (tx) => setHeat(tx, [a.key], { pinned: false }))
    await commit(store, (tx, id) => tx.applyChanges(id, [change('add', b)]))
    expect(await take(store, 0.1)).toEqual(['a', 'b'])
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: b.key }]))
    await commit(store, (tx, id) => tx.applyChanges(id, [change('add', b)]))
    expect(await take(store, 0.1)).toEqual([])
  })

  test('agrees with a list of who was told', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const engine = await open()
        try {
          await run(engine.store, steps)
        } finally {
          await engine.close()
        }
      }),
      { numRuns: 25 },
    )
  })
}

/** Their sums are exact: nothing is a hair's breadth from a threshold. */
const fraction = fc.constantFrom(0, 1 / 64, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1)
const which = fc.nat(names.length - 1)
type Step =
  | { kind: 'boost'; at: number; by: number }
  | { kind: 'set'; at: number; value: number }
  | { kind: 'pin'; at: number; pinned: boolean }
  | { kind: 'live'; at: number }
  | { kind: 'tick'; hours: number }
  | { kind: 'take'; below: number; limit: number }
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('boost' as const), at: which, by: fraction }),
  fc.record({ kind: fc.constant('set' as const), at: which, value: fraction }),
  fc.record({ kind: fc.constant('pin' as const), at: which, pinned: fc.boolean() }),
  fc.record({ kind: fc.constant('live' as const), at: which }),
  fc.record({ kind: fc.constant('tick' as const), hours: fc.constantFrom(0, 1, 7, 31, 200) }),
  fc.record({
    kind: fc.constant('take' as const),
    below: fc.constantFrom(1 / 8, 1 / 8, 1 / 8, 1 / 4, 0),
    limit: fc.integer({ min: 1, max: 4 }),
  }),
)

interface ModelNode {
  node: TestNode
  value: number
  pinned: boolean
  isLive: boolean
  isTold: boolean
}

/** The same steps on the store and on the simplest thing that could be meant. */
async function run(store: Store, steps: Step[]): Promise<void> {
  const { nodes } = await addDocument(
    store,
    note('n'),
    names.map((id) => ({ id, text: id })),
  )
  await startClock(store)
  const model = nodes.map(
    (node): ModelNode => ({ node, value: 0.5, pinned: false, isLive: true, isTold: false }),
  )
  let hours = 0
  let lastBelow = 0
  const changed = (entry: ModelNode): void => {
    if (entry.value >= lastBelow) entry.isTold = false
  }
  for (const next of steps) {
    const entry = model['at' in next ? next.at : 0] as ModelNode
    const { key } = entry.node
    if (next.kind === 'boost') {
      await writing(store, (tx) => boostHeat(tx, [{ id: entry.node.id, by: next.by, times: 1 }], 0))
      if (!entry.isLive) continue
      entry.value = Math.min(1, entry.value + next.by)
      changed(entry)
    } else if (next.kind === 'set' || next.kind === 'pin') {
      if (!entry.isLive) continue
      const { kind, at, ...heat } = next
      await writing(store, (tx) => setHeat(tx, [key], heat))
      Object.assign(entry, heat)
      changed(entry)
    } else if (next.kind === 'live') {
      const go = { op: 'rem', key } as const
      await commit(store, (tx, id) => tx.applyChanges(id, [entry.isLive ? go : change('add', entry.node)]))
      entry.isLive = !entry.isLive
    } else if (next.kind === 'tick') {
      hours += next.hours
      await tickAfter(store, hours)
      for (const each of model) if (!each.pinned) each.value *= Math.exp(-RATE * next.hours)
    } else {
      const cold = model.filter(
        ({ isLive, pinned, isTold, value }) => isLive && !pinned && !isTold && value < next.below,
      )
      const taken = new Set((await writing(store, (tx) => takeNewlyCold(tx, next))).map((row) => row.key))
      const [told = [], waiting = []] = [true, false].map((isTaken) =>
        cold.filter(({ node }) => taken.has(node.key) === isTaken),
      )
      expect(told.length).toBe(taken.size)
      expect(told.length).toBe(Math.min(next.limit, cold.length))
      // Rounding may put equal ones in either order.
      const warmest = Math.max(0, ...told.map(({ value }) => value)) * (1 - 1e-12)
      expect(waiting.filter(({ value }) => value < warmest)).toEqual([])
      for (const each of told) each.isTold = true
      lastBelow = next.below
    }
  }
  const checks = await store.read(healthOf)
  expect(checks.filter(({ status }) => status !== 'pass')).toEqual([])
}
