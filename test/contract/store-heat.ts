import { expect, test } from 'vitest'
import { addDocument, change, commit, note, type TestNode } from '../support/store-changes.ts'
import type { OpenEmpty } from './store.ts'

export function heatContract(open: OpenEmpty): void {
  async function twoNodes() {
    const { store } = await open()
    const { nodes, snapshot } = await addDocument(store, note('n'), [
      { id: 'a', text: 'a' },
      { id: 'b', text: 'b' },
    ])
    const [a, b] = nodes as [TestNode, TestNode]
    const heat = () => store.read((tx) => tx.heat([a.key, b.key, 999_999]))
    return { store, a, b, heat, snapshot }
  }

  test('a new node is neither hot nor cold', async () => {
    const { heat, a, b } = await twoNodes()
    expect(await heat()).toEqual([
      { key: a.key, value: 0.5, pinned: false, accesses: 0 },
      { key: b.key, value: 0.5, pinned: false, accesses: 0 },
    ])
  })

  test('sets value and pin apart from each other, and makes no snapshot', async () => {
    const { store, heat, a, b, snapshot } = await twoNodes()
    await store.write((tx) => tx.setHeat([a.key], { value: 0.9 }))
    await store.write((tx) => tx.setHeat([a.key, b.key], { pinned: true }))
    expect(await heat()).toMatchObject([
      { value: 0.9, pinned: true },
      { value: 0.5, pinned: true },
    ])
    await store.write((tx) => tx.setHeat([b.key], { value: 0, pinned: false }))
    expect(await heat()).toMatchObject([
      { value: 0.9, pinned: true },
      { value: 0, pinned: false },
    ])
    expect(await store.read((tx) => tx.head())).toEqual(snapshot)
  })

  test('an edit leaves heat alone', async () => {
    const { store, heat, a } = await twoNodes()
    await store.write((tx) => tx.setHeat([a.key], { value: 0.8, pinned: true }))
    await commit(store, (tx, id) => tx.applyChanges(id, [change('mod', { ...a, text: 'other' })]))
    expect(await heat()).toMatchObject([{ value: 0.8, pinned: true }, {}])
  })

  test('a node that comes back has the heat and the pin it had', async () => {
    const { store, heat, a, b } = await twoNodes()
    await store.write((tx) => tx.setHeat([a.key], { value: 0.8, pinned: true }))
    await store.write((tx) => tx.setHeat([b.key], { value: 0.2 }))
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
}
