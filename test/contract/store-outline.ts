import { expect, test } from 'vitest'
import type { OutlinePlace, OutlineRow, Siblings } from '../../src/core/port/nodes.ts'
import type { ReadTx, Store } from '../../src/core/port/store.ts'
import { setHeat } from '../../src/core/rows/heat.ts'
import { addDocument, commit, note, source, type TestNode } from '../support/store-changes.ts'
import { rootsOf } from '../support/store-reads.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

export function outlineContract(open: OpenEmpty): void {
  /** `a` over `b` and `c`, `b` over `d`; and around them a file before, a file after and a note. */
  async function filled() {
    const { store } = await open()
    await addDocument(store, note('n'), [{ id: 'note', text: 'A note.' }])
    const { nodes, document } = await addDocument(store, source('m.md'), [
      { id: 'a', text: 'Top', type: 'heading' },
      { id: 'b', text: 'Part', type: 'heading', under: 0 },
      { id: 'c', text: 'Said under the top.', under: 0 },
      { id: 'd', text: 'Said under the part.', under: 1 },
      { id: 'e', text: 'End' },
    ])
    await addDocument(store, source('z.md'), [{ id: 'z', text: 'z' }])
    await addDocument(store, source('a.md'), [{ id: 'first', text: 'first' }])
    const byId = new Map(nodes.map((node) => [node.id, node]))
    return { store, document, node: (id: string) => byId.get(id) as TestNode }
  }

  const outline = (store: Store, parentKey: number | null, limit = 100, after?: OutlinePlace) =>
    store.read((tx) => tx.outline([{ parentKey, ...(after ? { after } : {}) }], { fields: 'outline', limit }))
  const ids = (rows: OutlineRow[]) => rows.map(({ id }) => id)

  /** Page after page, each asked for with the last row of the one before. */
  async function inPages(store: Store, parentKey: number | null, limit: number): Promise<string[]> {
    const all: OutlineRow[] = []
    for (;;) {
      const page = await outline(store, parentKey, limit, all.at(-1))
      all.push(...page)
      if (page.length < limit) return ids(all)
    }
  }

  test('an outline goes backwards from the end, or from a place', async () => {
    const { store, node, document } = await filled()
    const backwards = (parentKey: number | null, before?: OutlinePlace) =>
      store.read(async (tx) => {
        const from = { parentKey, documentId: document.id, ...(before && { before }) }
        const found = await tx.outline([from], { fields: 'full', backwards: true, limit: 9 })
        return found.map(({ id }) => id)
      })
    expect(await backwards(null)).toEqual(['e', 'a'])
    const place = (id: string): OutlinePlace => {
      const { key, position = '' } = node(id)
      return { key, position, documentId: document.id }
    }
    expect(await backwards(null, place('e'))).toEqual(['a'])
    expect(await backwards(node('a').key, place('c'))).toEqual(['b'])
    expect(await backwards(node('a').key, place('b'))).toEqual([])
  })

  test('an outline tells of a node what one line has', async () => {
    const { store, node, document } = await filled()
    const [row] = await store.read((tx) => tx.nodes({ keys: [node('a').key] }, 'outline'))
    expect(row).toEqual({
      key: node('a').key,
      id: 'a',
      documentId: document.id,
      parentKey: null,
      position: 'a0',
      type: 'heading',
      label: 'Top',
      tokens: 1,
      temperature: 0.5,
      source: 'm.md',
      children: 2,
    })
  })

  test('gives nodes in the order in which they are asked for, without those that are not there', async () => {
    const { store, node } = await filled()
    const keys = [node('d').key, 999_999, node('a').key]
    expect(ids(await store.read((tx) => tx.nodes({ keys }, 'outline')))).toEqual(['d', 'a'])
    expect(ids(await store.read((tx) => tx.nodes({ ids: ['d', 'nobody', 'a'] }, 'outline')))).toEqual([
      'd',
      'a',
    ])
  })

  test('gives children and roots in pages of any size', async () => {
    const { store, node } = await filled()
    const roots = (await store.read((tx) => rootsOf(tx))).map(({ id }) => id)
    expect(roots).toEqual(['first', 'a', 'e', 'z', 'note'])
    for (const limit of [1, 2, 3, 100]) {
      expect(await inPages(store, null, limit)).toEqual(roots)
      expect(await inPages(store, node('a').key, limit)).toEqual(['b', 'c'])
    }
    expect(await outline(store, node('c').key)).toEqual([])
  })

  test('goes on after a place whose node or document went', async () => {
    const { store, node, document } = await filled()
    const [b] = await outline(store, node('a').key, 1)
    const [, a] = await outline(store, null, 2)
    await commit(store, async (tx, id) => {
      await tx.applyChanges(id, [
        { op: 'rem', key: node('d').key },
        { op: 'rem', key: node('b').key },
      ])
    })
    expect(ids(await outline(store, node('a').key, 9, b))).toEqual(['c'])
    await commit(store, async (tx, id) => {
      await tx.applyChanges(
        id,
        ['c', 'a', 'e'].map((gone) => ({ op: 'rem', key: node(gone).key })),
      )
      await tx.dropDocument(document.id, id)
    })
    expect(ids(await outline(store, null, 9, a))).toEqual(['z', 'note'])
    expect(ids(await outline(store, null))).toEqual(['first', 'z', 'note'])
  })

  test('walks all doors in the order of the roots', async () => {
    const { store } = await filled()
    const file = { kind: 'file', node: 'n', scope: 'global', thread: '', path: 'p' } as const
    await addDocument(store, file, [{ id: 'file', text: 'file' }])
    await addDocument(store, { kind: 'key', key: 'k' }, [{ id: 'key', text: 'key' }])
    await addDocument(store, { kind: 'record', id: 'r' }, [{ id: 'record', text: 'record' }])
    const roots = (await store.read((tx) => rootsOf(tx))).map(({ id }) => id)
    expect(roots.slice(4)).toEqual(['file', 'key', 'note', 'record'])
    expect(await inPages(store, null, 1)).toEqual(roots)
  })

  test('counts children and what is below as it is now, and no further than it is asked', async () => {
    const { store, node } = await filled()
    const below = (id: string, max: number) =>
      store.read(async (tx) => {
        const how = {
          direction: 'down',
          fields: 'outline',
          depth: 0,
          limit: 1,
          sizes: { max, tokens: true },
        } as const
        const [row] = await tx.walk({ keys: [node(id).key] }, how)
        const [same] = await tx.outline([{ id }], {
          fields: 'outline',
          depth: 0,
          limit: 1,
          sizes: { max, tokens: true },
        })
        expect(same?.below).toEqual(row?.below)
        return row?.below ?? { nodes: 0, tokens: 0 }
      })
    expect(await below('a', 100)).toEqual({ nodes: 3, tokens: 1 + 5 + 5 })
    // The nearest ones.
    expect(await below('a', 2)).toEqual({ nodes: 2, tokens: 1 + 5 })
    expect(await below('d', 100)).toEqual({ nodes: 0, tokens: 0 })
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: node('c').key }]))
    expect(await below('a', 100)).toEqual({ nodes: 2, tokens: 1 + 5 })
    expect(await store.read((tx) => tx.nodes({ keys: [node('a').key] }, 'outline'))).toMatchObject([
      { children: 1 },
    ])
  })

  test('gives texts by key, of live nodes only', async () => {
    const { store, node } = await filled()
    const texts = (...asked: string[]) =>
      store.read((tx) => tx.nodes({ keys: [999_999, ...asked.map((id) => node(id).key)] }, 'text'))
    expect(await texts('c', 'a')).toEqual([
      { key: node('c').key, text: 'Said under the top.' },
      { key: node('a').key, text: 'Top' },
    ])
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: node('c').key }]))
    expect(await texts('c')).toEqual([])
  })

  test('a reading begins with its node, goes down level by level, and tells what one block has', async () => {
    const { store, node } = await filled()
    const below = (id: string, depth: number, limit: number) =>
      store.read((tx) => tx.walk({ ids: [id] }, { direction: 'down', fields: 'reading', depth, limit }))
    const named = async (...asked: Parameters<typeof below>) =>
      (await below(...asked)).map(({ id, distance, text }) => `${id} ${distance} ${text}`)
    const all = ['a 0 Top', 'b 1 Part', 'c 1 Said under the top.', 'd 2 Said under the part.']
    expect(await named('a', 32, 100)).toEqual(all)
    for (const limit of [1, 2, 3, 4]) expect(await named('a', 32, limit)).toEqual(all.slice(0, limit))
    expect(await named('a', 1, 100)).toEqual(all.slice(0, 3))
    expect(await named('a', 0, 100)).toEqual(all.slice(0, 1))
    expect(await named('nobody', 32, 100)).toEqual([])
    expect(await below('d', 32, 100)).toEqual([
      {
        key: node('d').key,
        id: 'd',
        type: 'text',
        label: 'Said under the part.',
        tokens: 5,
        temperature: 0.5,
        source: 'm.md',
        parentKey: node('b').key,
        distance: 0,
        text: 'Said under the part.',
      },
    ])
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: node('c').key }]))
    expect(await named('a', 1, 100)).toEqual(['a 0 Top', 'b 1 Part'])
    expect(await named('c', 1, 100)).toEqual([])
  })

  test('a reading goes up from a node to the root', async () => {
    const { store } = await filled()
    const above = async (id: string) =>
      (await store.read((tx) => tx.walk({ ids: [id] }, { direction: 'up', fields: 'reading' }))).map(
        (row) => [row.id, row.distance, row.text],
      )
    expect(await above('d')).toEqual([
      ['d', 0, 'Said under the part.'],
      ['b', 1, 'Part'],
      ['a', 2, 'Top'],
    ])
    expect(await above('a')).toEqual([['a', 0, 'Top']])
    expect(await above('nobody')).toEqual([])
  })

  test('an outline goes down in document order, in pages of any size', async () => {
    const { store, node } = await filled()
    const named = async (...asked: Parameters<ReadTx['outline']>) =>
      (await store.read((tx) => tx.outline(asked[0], { ...asked[1], fields: 'outline' }))).map(
        ({ id, distance }) => `${id} ${distance}`,
      )
    const page = { fields: 'outline', limit: 100, depth: 9 } as const
    const all = ['first 0', 'a 0', 'b 1', 'd 2', 'c 1', 'e 0', 'z 0', 'note 0']
    expect(await named([{ parentKey: null }], page)).toEqual(all)
    for (const limit of [1, 2, 3, 4, 7, 8])
      expect(await named([{ parentKey: null }], { ...page, limit })).toEqual(all.slice(0, limit))
    expect(await named([{ parentKey: null }], { ...page, depth: 1 })).toEqual(
      all.filter((one) => one !== 'd 2'),
    )
    expect(await named([{ id: 'a' }], page)).toEqual(all.slice(1, 5))
    expect(await named([{ id: 'nobody' }], page)).toEqual([])
    // What is left after `b`: what is below it, after it and after what is above it.
    const [b, a] = await store.read((tx) => tx.walk({ ids: ['b'] }, { direction: 'up', fields: 'outline' }))
    const rest = [
      { parentKey: b?.key ?? 0, level: 2 },
      { parentKey: node('a').key, after: b as OutlineRow, level: 1 },
      { parentKey: null, after: a as OutlineRow, level: 0 },
    ]
    expect(await named(rest, page)).toEqual(all.slice(3))
    expect(await named(rest, { ...page, limit: 2 })).toEqual(all.slice(3, 5))
  })

  test('an outline counts what is below its deepest level', async () => {
    const { store } = await filled()
    const page = { fields: 'outline', limit: 100, depth: 1, sizes: { max: 100, tokens: true } } as const
    const rows = await store.read((tx) => tx.outline([{ id: 'a' }], page))
    expect(rows.map(({ id, below }) => [id, below])).toEqual([
      ['a', undefined],
      ['b', { nodes: 1, tokens: 5 }],
      ['c', undefined],
    ])
  })

  test('siblings are read backwards, of all documents or of one', async () => {
    const { store, document, node } = await filled()
    const last = async (start: Siblings, limit = 9) =>
      ids(await store.read((tx) => tx.outline([start], { fields: 'outline', limit, backwards: true })))
    expect(await last({ parentKey: null, documentId: document.id })).toEqual(['e', 'a'])
    expect(await last({ parentKey: node('a').key }, 1)).toEqual(['c'])
    expect(await last({ parentKey: node('a').key, documentId: document.id })).toEqual(['c', 'b'])
    expect(await last({ parentKey: node('a').key, documentId: 999_999 })).toEqual([])
  })

  test('a root that an outline begins with tells what follows it in its document', async () => {
    const { store } = await filled()
    const following = (id: string) =>
      store.read(async (tx) => {
        const [row] = await tx.outline([{ id }], { fields: 'brief', limit: 1 })
        const both = await tx.walk({ ids: [id] }, { direction: 'both', fields: 'reading' })
        expect(both.find(({ distance }) => distance === 0)?.following).toBe(row?.following)
        return row?.following
      })
    expect(await following('a')).toBe('e')
    expect(await following('e')).toBeUndefined()
    expect(await following('first')).toBeUndefined()
    expect(await following('b')).toBeUndefined()
    expect(await following('nobody')).toBeUndefined()
  })

  test('a walk in both directions goes up first, from the root to its node, then down', async () => {
    const { store } = await filled()
    const both = async (id: string) =>
      (await store.read((tx) => tx.walk({ ids: [id] }, { direction: 'both', fields: 'reading' }))).map(
        (row) => `${row.id} ${row.distance}`,
      )
    expect(await both('b')).toEqual(['a -1', 'b 0', 'd 1'])
    expect(await both('d')).toEqual(['a -2', 'b -1', 'd 0'])
    expect(await both('a')).toEqual(['a 0', 'b 1', 'c 1', 'd 2'])
    expect(await both('nobody')).toEqual([])
  })

  test('heat in an outline is what it is now', async () => {
    const { store, node } = await filled()
    const { key } = node('c')
    await writing(store, (tx) => setHeat(tx, [key], { value: 0.25 }))
    expect(await store.read((tx) => tx.nodes({ keys: [key] }, 'outline'))).toMatchObject([
      { temperature: 0.25 },
    ])
  })
}
