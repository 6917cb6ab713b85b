import { expect, test } from 'vitest'
import { setHeat } from '../../src/core/rows/heat.ts'
import { estimateTokens } from '../../src/core/tokens.ts'
import { healthOf } from '../support/health.ts'
import {
  addDocument,
  change,
  commit,
  note,
  openSnapshot,
  source,
  type TestNode,
} from '../support/store-changes.ts'
import { rootsOf } from '../support/store-reads.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

const THRESHOLDS = { hot: 0.5, cold: 0.1 }

export function summaryContract(open: OpenEmpty): void {
  test('of nothing is all zero, and healthy', async () => {
    const { store } = await open()
    expect(await store.read((tx) => tx.summary(THRESHOLDS))).toEqual({
      counters: {},
      snapshots: 0,
      indexRows: 0,
      heat: { avg: 0, median: 0, hot: 0, cold: 0, pinned: 0 },
    })
    const checks = await store.read(healthOf)
    expect(checks.filter((check) => check.status !== 'pass')).toEqual([])
    expect(await store.read((tx) => rootsOf(tx))).toEqual([])
  })

  test('counts what is live', async () => {
    const { store } = await open()
    const { nodes } = await addDocument(store, source('a.md'), [
      { id: 'h', text: 'Title', type: 'heading' },
      { id: 'a', text: 'some text that is here', under: 0 },
      { id: 'b', text: 'some more text', under: 0 },
      { id: 'c', text: 'code()', type: 'code', under: 0 },
    ])
    const [, a, b, c] = nodes as [TestNode, TestNode, TestNode, TestNode]
    await commit(store, (tx, id) =>
      tx.applyChanges(id, [{ op: 'rem', key: c.key }, change('mod', { ...b, text: 'less', type: 'list' })]),
    )
    await writing(store, (tx) => setHeat(tx, [a.key], { value: 0.75, pinned: true }))
    await writing(store, (tx) => setHeat(tx, [b.key], { value: 0.05 }))
    const { heat, counters, ...counts } = await store.read((tx) => tx.summary(THRESHOLDS))
    const texts = ['Title', 'some text that is here', 'less']
    expect(counters).toEqual({
      ...{ nodes: 3, 'nodes.heading': 1, 'nodes.text': 1, 'nodes.list': 1 },
      tokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0),
    })
    expect(counts).toEqual({ snapshots: 2, indexRows: 3 })
    expect(heat).toMatchObject({ median: 0.5, hot: 2, cold: 1, pinned: 1 })
    expect(heat.avg).toBeCloseTo((0.5 + 0.75 + 0.05) / 3)
  })

  test('forgets what a failed write counted', async () => {
    const { store } = await open()
    await addDocument(store, note('n'), [{ id: 'a', text: 'a' }])
    const before = await store.read((tx) => tx.summary(THRESHOLDS))
    const failing = writing(store, async (tx) => {
      const { tx: steps, id } = await openSnapshot(tx)
      const key = await steps.allocateKeys(1)
      await steps.applyChanges(id, [change('add', { id: 'b', text: 'b', key, documentId: 1 })])
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    expect(await store.read((tx) => tx.summary(THRESHOLDS))).toEqual(before)
    await addDocument(store, note('m'), [{ id: 'c', text: 'c' }])
    expect((await store.read((tx) => tx.summary(THRESHOLDS))).counters.nodes).toBe(2)
  })
}
