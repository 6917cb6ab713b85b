import { expect, test } from 'vitest'
import type { NodeSelect } from '../../src/core/port/nodes.ts'
import { boostHeat, setHeat } from '../../src/core/rows/heat.ts'
import { ABOUT, addDocument, change, commit, note, source, type TestNode } from '../support/store-changes.ts'
import { startClock, tickAfter } from '../support/store-heat.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

/** What is cold has a contract of its own. */
export function orderContract(open: OpenEmpty): void {
  /** Five nodes of a file, `a` to `e`, then a note. */
  async function filled() {
    const { store } = await open()
    const texts = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, text: `${id} `.repeat(id === 'b' ? 1 : 500) }))
    const file = await addDocument(store, source('a.md'), texts)
    const memo = await addDocument(store, note('n'), [{ id: 'memo', text: 'memo' }])
    const nodes = [...file.nodes, ...memo.nodes]
    const node = (id: string): TestNode => nodes.find((one) => one.id === id) as TestNode
    return {
      ...{ store, node, file: file.document, memo: memo.document },
      remove: (id: string) =>
        commit(store, (tx, at) => tx.applyChanges(at, [{ op: 'rem', key: node(id).key }])),
      heat: (id: string, heat: { value?: number; pinned?: boolean }) =>
        writing(store, (tx) => setHeat(tx, [node(id).key], heat)),
      ids: async (select: NodeSelect) =>
        (await store.read((tx) => tx.nodes(select, 'brief'))).map(({ id }) => id),
    }
  }

  test('the warmest first, pinned or not, then the newest', async () => {
    const { store, heat, ids, remove } = await filled()
    await startClock(store)
    await heat('b', { value: 0.9 })
    await heat('d', { value: 0 })
    await heat('c', { value: 0.1, pinned: true })
    await heat('e', { value: 0.8, pinned: true })
    await tickAfter(store, 2)
    expect(await ids({ order: 'warmest', limit: 9 })).toEqual(['b', 'e', 'memo', 'a', 'c', 'd'])
    expect(await ids({ order: 'warmest', limit: 2 })).toEqual(['b', 'e'])
    expect(await ids({ order: 'warmest', limit: 9, pinned: true })).toEqual(['e', 'c'])
    expect(await ids({ order: 'warmest', limit: 9, pinned: false })).toEqual(['b', 'memo', 'a', 'd'])
    await remove('e')
    await remove('b')
    expect(await ids({ order: 'warmest', limit: 2 })).toEqual(['memo', 'a'])
    expect(await ids({ order: 'warmest', limit: 9, pinned: true })).toEqual(['c'])
  })

  test('apart are those that are warmer than all that have no room', async () => {
    const { heat, ids, remove } = await filled()
    const apart = (limit: number) => ids({ order: 'warmest', limit, apart: true })
    expect(await apart(3)).toEqual([])
    await heat('b', { value: 0.8 })
    await heat('memo', { value: 0.9, pinned: true })
    expect(await apart(3)).toEqual(['memo', 'b'])
    expect(await apart(2)).toEqual(['memo', 'b'])
    expect(await apart(1)).toEqual(['memo'])
    expect(await apart(100)).toHaveLength(6)
    await remove('memo')
    expect(await apart(2)).toEqual(['b'])
    await heat('a', { value: 0 })
    expect(await apart(100)).toEqual(['b', 'e', 'd', 'c'])
  })

  test('what is long and was not read or changed for a while, of the coldest', async () => {
    const { store, node, heat, ids } = await filled()
    const unread = { lookedAt: 9, tokens: 100, since: ABOUT.createdAt + 1 }
    expect(await ids({ order: 'coldest', limit: 9, unread })).toEqual(['a', 'c', 'd', 'e'])
    expect(await ids({ order: 'coldest', limit: 2, unread })).toEqual(['a', 'c'])
    expect(await ids({ order: 'coldest', limit: 9, unread: { ...unread, lookedAt: 3 } })).toEqual(['a', 'c'])
    expect(await ids({ order: 'coldest', limit: 9, unread: { ...unread, since: ABOUT.createdAt } })).toEqual(
      [],
    )
    await heat('e', { value: 0.1 })
    await heat('c', { pinned: true })
    await writing(store, (tx) => boostHeat(tx, [{ id: 'a', by: 0, times: 1 }], unread.since))
    await commit(
      store,
      (tx, at) => tx.applyChanges(at, [change('mod', { ...node('d'), text: 'd '.repeat(600) })]),
      {
        createdAt: unread.since,
      },
    )
    expect(await ids({ order: 'coldest', limit: 9, unread })).toEqual(['e'])
  })

  test('what changed last comes first, removed nodes too', async () => {
    const { store, node, file, memo, remove } = await filled()
    const changed = (limit: number) => store.read((tx) => tx.nodes({ order: 'changed', limit }, 'change'))
    expect((await changed(9)).map(({ changedIn }) => changedIn)).toEqual([2, 1, 1, 1, 1, 1])
    await commit(store, (tx, at) => tx.applyChanges(at, [change('mod', { ...node('a'), text: 'other' })]))
    await remove('c')
    expect(await changed(3)).toEqual([
      { key: node('c').key, documentId: file.id, changedIn: 4 },
      { key: node('a').key, documentId: file.id, changedIn: 3 },
      { key: node('memo').key, documentId: memo.id, changedIn: 2 },
    ])
    expect(await changed(1)).toEqual([{ key: node('c').key, documentId: file.id, changedIn: 4 }])
    expect(new Set((await changed(9)).map(({ key }) => key)).size).toBe((await changed(9)).length)
  })
}
