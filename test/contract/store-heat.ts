import { expect, test } from 'vitest'
import { boostHeat, seedHeat, setHeat } from '../../src/core/rows/heat.ts'
import { healthOf } from '../support/health.ts'
import { addDocument, change, commit, note, type TestNode } from '../support/store-changes.ts'
import { NOON, RATE, startClock, tickAfter } from '../support/store-heat.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

export function heatContract(open: OpenEmpty): void {
  async function twoNodes() {
    const { store } = await open()
    const { nodes, snapshot } = await addDocument(store, note('n'), [
      { id: 'a', text: 'a' },
      { id: 'b', text: 'b' },
    ])
    const [a, b] = nodes as [TestNode, TestNode]
    const heat = () => store.read((tx) => tx.nodes({ keys: [a.key, b.key, 999_999], removed: true }, 'heat'))
    return { store, a, b, heat, snapshot }
  }

  test('a new node is neither hot nor cold', async () => {
    const { heat, a, b } = await twoNodes()
    expect(await heat()).toEqual([
      { key: a.key, id: 'a', label: 'a', value: 0.5, pinned: false, accesses: 0 },
      { key: b.key, id: 'b', label: 'b', value: 0.5, pinned: false, accesses: 0 },
    ])
  })

  test('sets value and pin apart from each other, and makes no snapshot', async () => {
    const { store, heat, a, b, snapshot } = await twoNodes()
    await writing(store, (tx) => setHeat(tx, [a.key], { value: 0.9 }))
    await writing(store, (tx) => setHeat(tx, [a.key, b.key], { pinned: true }))
    expect(await heat()).toMatchObject([
      { value: 0.9, pinned: true },
      { value: 0.5, pinned: true },
    ])
    await writing(store, (tx) => setHeat(tx, [b.key], { value: 0, pinned: false }))
    expect(await heat()).toMatchObject([
      { value: 0.9, pinned: true },
      { value: 0, pinned: false },
    ])
    expect((await store.read((tx) => tx.state())).head).toEqual(snapshot)
  })

  test('lists the heat of live nodes by key, in pages', async () => {
    const { store, a, b } = await twoNodes()
    await writing(store, (tx) => setHeat(tx, [b.key], { value: 0.9, pinned: true }))
    const rows = [
      { key: a.key, id: 'a', label: 'a', value: 0.5, pinned: false, accesses: 0 },
      { key: b.key, id: 'b', label: 'b', value: 0.9, pinned: true, accesses: 0 },
    ]
    const list = ({ limit, after = 0 }: { limit: number; after?: number }) =>
      store.read((tx) => tx.nodes({ after, limit }, 'heat'))
    expect(await list({ limit: 9 })).toEqual(rows)
    expect(await list({ limit: 1 })).toEqual(rows.slice(0, 1))
    expect(await list({ limit: 9, after: a.key })).toEqual(rows.slice(1))
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: a.key }]))
    expect(await list({ limit: 9 })).toEqual(rows.slice(1))
  })

  test('an edit leaves heat alone', async () => {
    const { store, heat, a } = await twoNodes()
    await writing(store, (tx) => setHeat(tx, [a.key], { value: 0.8, pinned: true }))
    await commit(store, (tx, id) => tx.applyChanges(id, [change('mod', { ...a, text: 'other' })]))
    expect(await heat()).toMatchObject([{ value: 0.8, pinned: true }, {}])
  })

  test('a node that comes back has the heat and the pin it had', async () => {
    const { store, heat, a, b } = await twoNodes()
    await writing(store, (tx) => setHeat(tx, [a.key], { value: 0.8, pinned: true }))
    await writing(store, (tx) => setHeat(tx, [b.key], { value: 0.2 }))
    const rem = [a, b].map(({ key }) => ({ op: 'rem', key }) as const)
    await commit(store, (tx, id) => tx.applyChanges(id, rem))
    await commit(store, (tx, id) =>
      tx.applyChanges(
        id,
        [a, b].map((node) => change('add', node)),
      ),
    )
    expect(await heat()).toMatchObject([
      { value: 0.8, pinned: true },
      { value: 0.2, pinned: false },
    ])
  })

  test('a read warms up to 1, counts, and changes nothing else', async () => {
    const { store, heat, b, snapshot } = await twoNodes()
    await writing(store, (tx) => setHeat(tx, [b.key], { pinned: true, value: 0.3 }))
    await writing(store, (tx) =>
      boostHeat(
        tx,
        [
          { id: 'a', by: 0.2, times: 1 },
          { id: 'a', by: 0.1, times: 2 },
          { id: 'b', by: 0.9, times: 1 },
          { id: 'unknown', by: 0.5, times: 1 },
        ],
        1,
      ),
    )
    const [first, second] = await heat()
    expect(first).toMatchObject({ accesses: 3, pinned: false })
    expect(first?.value).toBeCloseTo(0.8)
    expect(second).toMatchObject({ accesses: 1, pinned: true, value: 1 })
    expect((await store.read((tx) => tx.state())).head).toEqual(snapshot)
  })

  test('a removed node is not warmed', async () => {
    const { store, heat, a } = await twoNodes()
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: a.key }]))
    await writing(store, (tx) => boostHeat(tx, [{ id: 'a', by: 0.2, times: 1 }], 1))
    expect(await heat()).toMatchObject([{ value: 0.5, accesses: 0 }, {}])
    expect(await store.read((tx) => tx.nodes({ order: 'coldest', limit: 10 }, 'facts'))).toHaveLength(1)
  })

  test('cools by the time that went by, however often somebody ticks', async () => {
    const { store, heat, b } = await twoNodes()
    await writing(store, (tx) => setHeat(tx, [b.key], { pinned: true }))
    await startClock(store)
    expect(await tickAfter(store, 2)).toBe(2)
    expect(await tickAfter(store, 2)).toBe(0)
    expect(await tickAfter(store, 1)).toBe(0)
    expect(await tickAfter(store, 10)).toBe(8)
    const [cooled, pinned] = await heat()
    expect(cooled?.value).toBeCloseTo(0.5 * Math.exp(-RATE * 10))
    expect(pinned?.value).toBe(0.5)
  })

  test('a clock that was far ahead holds up cooling no longer than it was wrong', async () => {
    const { store, heat } = await twoNodes()
    await startClock(store)
    expect(await tickAfter(store, 24 * 365, { ratePerHour: 0 })).toBe(24 * 365)
    expect(await tickAfter(store, 24 * 364)).toBe(0)
    expect(await tickAfter(store, 24 * 365 + 1)).toBe(1)
    expect(await tickAfter(store, 10)).toBe(0)
    expect(await tickAfter(store, 12)).toBe(2)
    expect((await heat())[0]?.value).toBeCloseTo(0.5 * Math.exp(-RATE * 3))
  })

  test('a boost begins from what is left', async () => {
    const { store, heat } = await twoNodes()
    await startClock(store)
    await tickAfter(store, 20)
    await writing(store, (tx) => boostHeat(tx, [{ id: 'a', by: 0.1, times: 1 }], NOON))
    await tickAfter(store, 30)
    const [warmed] = await heat()
    expect(warmed?.value).toBeCloseTo((0.5 * Math.exp(-RATE * 20) + 0.1) * Math.exp(-RATE * 10))
  })

  test('a frozen clock stands still, and the time it was frozen is never charged', async () => {
    const { store, heat } = await twoNodes()
    await startClock(store)
    await tickAfter(store, 1)
    expect(await tickAfter(store, 5, { enabled: false })).toBe(0)
    expect(await tickAfter(store, 50, { enabled: false })).toBe(0)
    expect(await tickAfter(store, 100)).toBe(0)
    expect(await tickAfter(store, 101)).toBe(1)
    expect((await heat())[0]?.value).toBeCloseTo(0.5 * Math.exp(-RATE * 2))
  })

  test('the rate may change: each stretch is charged at its own', async () => {
    const { store, heat } = await twoNodes()
    await startClock(store)
    await tickAfter(store, 1)
    await tickAfter(store, 2, { ratePerHour: 0 })
    await tickAfter(store, 3, { ratePerHour: 1 })
    expect((await heat())[0]?.value).toBeCloseTo(0.5 * Math.exp(-RATE - 1))
  })

  test('any stretch of time leaves heat between 0 and 1', async () => {
    const { store, heat } = await twoNodes()
    await startClock(store)
    await tickAfter(store, 10, { ratePerHour: 1000 })
    expect((await heat())[0]?.value).toBe(0)
    await writing(store, (tx) => boostHeat(tx, [{ id: 'a', by: 0.15, times: 1 }], NOON))
    expect((await heat())[0]?.value).toBe(0.15)
    expect((await store.read(healthOf)).filter(({ status }) => status !== 'pass')).toEqual([])
  })

  test('seeds every live node of a document, and says how many had another heat', async () => {
    const { store, heat, a, b } = await twoNodes()
    const seed = (value: number) => writing(store, (tx) => seedHeat(tx, [a.documentId, 999_999], value))
    await writing(store, (tx) => setHeat(tx, [b.key], { value: 0.25 }))
    expect(await seed(0.25)).toBe(1)
    expect(await seed(0.25)).toBe(0)
    expect(await heat()).toMatchObject([{ value: 0.25 }, { value: 0.25 }])
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: b.key }]))
    expect(await seed(0)).toBe(1)
  })
}
