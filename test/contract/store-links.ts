import { expect, test } from 'vitest'
import { encodeLinks } from '../../src/core/link.ts'
import { listEdges, listPending } from '../../src/core/links/edges.ts'
import { deleteManualLinks, putManualLink } from '../../src/core/links/manual.ts'
import type { Link } from '../../src/core/model.ts'
import { graph } from '../../src/core/observe/graph.ts'
import type { LinkAnswer, LinkQuestion, StoredLink } from '../../src/core/port/links.ts'
import type { Store } from '../../src/core/port/store.ts'
import { countedIn } from '../../src/core/rows/counters.ts'
import {
  addDocument,
  change,
  commit,
  note,
  openSnapshot,
  source,
  type TestNode,
  withoutSnapshot,
} from '../support/store-changes.ts'
import { findNode } from '../support/store-reads.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

const link = (label: string, more: Partial<Link> = {}): Link => ({
  label,
  weight: 1,
  source: '',
  id: '',
  ...more,
})
const asking = (...links: Link[]): string => encodeLinks(links) ?? ''

/** Edges as `source>target weight origin`, then what waits as `source>label`. */
async function linksIn(store: Store): Promise<string[]> {
  const { edges, pending } = await graph(store)
  return [
    ...edges.map(({ source: from, target, weight, origin }) => `${from}>${target} ${weight} ${origin}`),
    ...pending.map(({ source: from, target_label: label, target_id_hint: id }) => `${from}>${label || id}`),
  ]
}

async function relationsIn(store: Store) {
  const { counters } = await store.read((tx) => tx.summary({ hot: 0.5, cold: 0.1 }))
  return countedIn(counters).relations
}

export function linkContract(open: OpenEmpty): void {
  /** A text `t` that asks for headings H and K, of which only H is there. */
  async function linked() {
    const { store } = await open()
    const { nodes, document } = await addDocument(store, source('a.md'), [
      { id: 'h', text: 'H', type: 'heading' },
      { id: 't', text: 'see [[h]] and [[K]]', links: asking(link('h', { weight: 2 }), link('K')) },
    ])
    return { store, document, h: nodes[0] as TestNode, t: nodes[1] as TestNode }
  }

  test('a link leads to the heading of that name, or waits for one', async () => {
    const { store, t } = await linked()
    expect(await linksIn(store)).toEqual(['t>h 2 parsed', 't>K'])
    expect(await relationsIn(store)).toEqual({ byOrigin: { parsed: 1 }, pending: 1 })
    expect(await store.read((tx) => findNode(tx, 't'))).toMatchObject({ links: t.links })
    await addDocument(store, note('n'), [{ id: 'k', text: 'k', type: 'heading' }])
    expect(await linksIn(store)).toEqual(['t>h 2 parsed', 't>k 1 parsed'])
    expect(await relationsIn(store)).toEqual({ byOrigin: { parsed: 2 }, pending: 0 })
  })

  test('only headings have a name', async () => {
    const { store } = await linked()
    await addDocument(store, note('n'), [{ id: 'k', text: 'K' }])
    expect(await linksIn(store)).toEqual(['t>h 2 parsed', 't>K'])
  })

  test('a changed node has the links of its new text', async () => {
    const { store, t } = await linked()
    const next: TestNode = { ...t, text: 'see [[H]]', links: asking(link('H', { weight: 7 })) }
    await commit(store, (tx, id) => tx.applyChanges(id, [change('mod', next)]))
    expect(await linksIn(store)).toEqual(['t>h 7 parsed'])
    const { links: _, ...without } = next
    await commit(store, (tx, id) => tx.applyChanges(id, [change('mod', without)]))
    expect(await linksIn(store)).toEqual([])
    expect(await relationsIn(store)).toEqual({ byOrigin: {}, pending: 0 })
  })

  test('links of a removed target wait, links of a removed source go; both come back', async () => {
    const { store, h, t } = await linked()
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: h.key }]))
    expect(await linksIn(store)).toEqual(['t>h', 't>K'])
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: t.key }]))
    expect(await linksIn(store)).toEqual([])
    expect(await relationsIn(store)).toEqual({ byOrigin: {}, pending: 0 })
    await commit(store, (tx, id) => tx.applyChanges(id, [change('add', t), change('add', h)]))
    expect(await linksIn(store)).toEqual(['t>h 2 parsed', 't>K'])
  })

  test('a heading that gets another name is found by that', async () => {
    const { store, h } = await linked()
    await commit(store, (tx, id) => tx.applyChanges(id, [change('mod', { ...h, text: 'K' })]))
    expect(await linksIn(store)).toEqual(['t>h 1 parsed', 't>h'])
  })

  test('a manual link is added, reweighted, taken away, and makes no snapshot', async () => {
    const { store, h, t } = await linked()
    const head = (await store.read((tx) => tx.state())).head
    const put = (asked: Link) => writing(store, (tx) => putManualLink(tx, h, asked, 0))
    expect(await put(link('', { id: 't' }))).toMatchObject({
      targetKey: t.key,
      targetId: 't',
      origin: 'manual',
    })
    expect(await put(link('', { id: 't', weight: 3 }))).toMatchObject({ targetId: 't', weight: 3 })
    expect(await put(link('K'))).toMatchObject({ targetKey: null, targetId: null, label: 'K' })
    expect(await linksIn(store)).toEqual(['h>t 3 manual', 't>h 2 parsed', 'h>K', 't>K'])
    expect(await relationsIn(store)).toEqual({ byOrigin: { manual: 1, parsed: 1 }, pending: 2 })
    const take = (target: { targetId: string } | { label: string; source: string }) =>
      writing(store, (tx) => deleteManualLinks(tx, h.key, target))
    expect(await take({ targetId: 't' })).toBe(1)
    expect(await take({ targetId: 't' })).toBe(0)
    expect(await take({ label: 'k', source: '' })).toBe(1)
    expect(await linksIn(store)).toEqual(['t>h 2 parsed', 't>K'])
    expect((await store.read((tx) => tx.state())).head).toEqual(head)
  })

  test('a manual link sleeps while its source is gone', async () => {
    const { store, h, t } = await linked()
    await writing(store, (tx) => putManualLink(tx, t, link('H'), 0))
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: t.key }]))
    expect(await linksIn(store)).toEqual([])
    expect(await relationsIn(store)).toEqual({ byOrigin: {}, pending: 0 })
    await commit(store, (tx, id) => tx.applyChanges(id, [change('add', t)]))
    expect(await linksIn(store)).toEqual(['t>h 1 manual', 't>h 2 parsed', 't>K'])
    const toIt = { direction: 'in', keys: [h.key], newest: 9 } as const
    expect(await store.read((tx) => tx.links(toIt, 'ends'))).toHaveLength(2)
  })

  test('the newest links at either end of nodes, those of each node together', async () => {
    const { store, h, t } = await linked()
    await writing(store, (tx) => putManualLink(tx, t, link('', { id: 't', weight: 9 }), 0))
    await store.read(async (tx) => {
      const name = (key: number | null) => (key === t.key ? 't' : 'h')
      const ends = async (keys: number[], direction: 'in' | 'out', newest = 9) =>
        (await tx.links({ direction, keys, newest }, 'ends'))
          .map(
            ({ sourceKey, targetKey, weight, origin }) =>
              `${name(sourceKey)}>${name(targetKey)} ${weight} ${origin}`,
          )
          .sort()
      expect(await ends([t.key], 'out')).toEqual(['t>h 2 parsed', 't>t 9 manual'])
      expect(await ends([t.key], 'out', 1)).toEqual(['t>t 9 manual'])
      expect(await ends([t.key], 'out', 2)).toEqual(['t>t 9 manual'])
      expect(await ends([t.key], 'out', 3)).toEqual(['t>h 2 parsed', 't>t 9 manual'])
      expect(await ends([h.key, t.key], 'in')).toEqual(['t>h 2 parsed', 't>t 9 manual'])
      expect(await ends([t.key, h.key], 'in', 1)).toEqual(['t>h 2 parsed', 't>t 9 manual'])
      expect(await ends([h.key], 'out')).toEqual([])
      expect(await ends([], 'out')).toEqual([])
      const [both] = await tx.links({ of: [t.key] }, 'ends')
      const [first] = await tx.links({ of: [t.key] })
      const { id, sourceKey, targetKey, origin, place, weight } = first as StoredLink
      expect(both).toEqual({ id, sourceKey, targetKey, origin, place, weight })
    })
  })

  async function manyLinks() {
    const { store } = await open()
    const labels = ['A', 'B', 'C', 'D', 'E']
    const { nodes } = await addDocument(store, source('a.md'), [
      { id: 't', text: 't', links: asking(...labels.map((label) => link(label))) },
      ...labels.slice(0, 3).map((label) => ({ id: label, text: label, type: 'heading' as const })),
    ])
    for (const label of ['F', 'D', 'C'])
      await writing(store, (tx) => putManualLink(tx, nodes[0] as TestNode, link(label), 0))
    await addDocument(store, note('n'), [{ id: 'u', text: 'u', links: asking(link('G')) }])
    return { store, nodes }
  }

  test('links that lead somewhere and links that wait come in pages, by source and id', async () => {
    const { store } = await manyLinks()
    await store.read(async (tx) => {
      for (const [pending, labels] of [
        [false, ['A', 'B', 'C', 'C']],
        [true, ['D', 'E', 'F', 'D', 'G']],
      ] as const) {
        const all = await tx.links({ pending, limit: 9 })
        expect(all.map(({ label }) => label)).toEqual(labels)
        expect(all.every(({ targetKey }) => (targetKey === null) === pending)).toBe(true)
        for (const [at, after] of all.entries())
          expect(await tx.links({ pending, limit: 2, after })).toEqual(all.slice(at + 1, at + 3))
      }
    })
  })

  test('edges and waiting links come in order, and in pages of any size', async () => {
    const { store, nodes } = await manyLinks()
    const byKey = new Map(nodes.map(({ key, id }) => [key, id]))
    await store.read(async (tx) => {
      const edges = await listEdges(tx, { limit: 9 })
      expect(edges.map(({ targetKey, origin }) => `${byKey.get(targetKey)} ${origin}`)).toEqual([
        'A parsed',
        'B parsed',
        'C manual',
        'C parsed',
      ])
      for (const [at, after] of edges.entries())
        expect(await listEdges(tx, { limit: 2, after })).toEqual(edges.slice(at + 1, at + 3))
      const pending = await listPending(tx, { limit: 9 })
      expect(pending.map(({ label, origin }) => `${label} ${origin}`)).toEqual([
        'D parsed',
        'E parsed',
        'F manual',
        'D manual',
        'G parsed',
      ])
      for (const [at, after] of pending.entries())
        expect(await listPending(tx, { limit: 2, after })).toEqual(pending.slice(at + 1, at + 3))
    })
  })

  test('what decides where links lead is answered as it was asked', async () => {
    const { store } = await open()
    const { nodes: a, document: first } = await addDocument(store, source('docs/a.md'), [
      { id: 'front', text: 'aliases: [One]', type: 'preamble' },
      { id: 'names', text: '- Two', type: 'list', under: 0 },
      { id: 'other', text: 'no list', under: 0 },
      { id: 'h', text: 'H', type: 'heading' },
      { id: 'low', text: 'H', type: 'heading', under: 3 },
      { id: 'k', text: 'K', type: 'heading', under: 4 },
      { id: 'marked', text: 'said ^here', under: 3 },
    ])
    const { nodes: b, document: second } = await addDocument(store, note('n'), [
      { id: 'text', text: 'nothing' },
      { id: 'gone', text: 'H', type: 'heading' },
      { id: 'top', text: 'H', type: 'heading' },
    ])
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: b[1]?.key ?? 0 }]))
    const key = (id: string): number => [...a, ...b].find((node) => node.id === id)?.key ?? 0
    const documents = [first.id, second.id]
    const placeOf = { documentId: first.id, address: source('docs/a.md') }
    const NONE = {
      ...{ nodes: [], documentsNamed: [], headingsNamed: [], places: [] },
      ...{ headingsIn: [], marksIn: [], namesOf: [] },
    }
    const answers = async (asked: LinkQuestion, answer: Partial<LinkAnswer>) =>
      expect(await store.read((tx) => tx.linkFacts(asked))).toEqual({ ...NONE, ...answer })
    await answers({}, {})
    await answers({ nodes: ['h', 'gone', 'nobody'] }, { nodes: [{ id: 'h', key: key('h') }] })
    await answers({ places: [first.id, 999_999] }, { places: [placeOf] })
    await answers(
      { documentsNamed: ['one', 'nobody'] },
      { documentsNamed: [{ name: 'one', isAlias: true, documentId: first.id }], places: [placeOf] },
    )
    await answers(
      { headingsNamed: ['k', 'nobody'] },
      {
        headingsNamed: [{ name: 'k', key: key('k'), id: 'k', documentId: first.id, depth: 2 }],
        places: [placeOf],
      },
    )
    const { headingsIn } = await store.read((tx) => tx.linkFacts({ headingsIn: documents }))
    expect(headingsIn.map(({ name }) => name)).toEqual(['h', 'h', 'k'])
    expect(new Set(headingsIn)).toEqual(
      new Set([
        { documentId: first.id, name: 'h' },
        { documentId: first.id, name: 'k' },
        { documentId: second.id, name: 'h' },
      ]),
    )
    await answers(
      { marksIn: documents },
      { marksIn: [{ documentId: first.id, key: key('marked'), text: 'said ^here' }] },
    )
    const { namesOf } = await store.read((tx) => tx.linkFacts({ namesOf: [...documents, 999_999] }))
    expect(namesOf).toEqual([
      {
        ...{ documentId: first.id, path: 'docs/a.md', root: key('h'), front: ['aliases: [One]', '- Two'] },
        names: expect.arrayContaining([
          { name: 'a', isAlias: false },
          { name: 'one', isAlias: true },
        ]),
      },
      { documentId: second.id, path: null, root: key('text'), front: [], names: [] },
    ])
    await commit(store, (tx, id) =>
      tx.applyChanges(
        id,
        ['h', 'low', 'k', 'marked'].map((one) => ({ op: 'rem', key: key(one) })),
      ),
    )
    const left = await store.read((tx) => tx.linkFacts({ namesOf: [first.id] }))
    expect(left.namesOf).toMatchObject([{ root: key('front'), front: ['aliases: [One]', '- Two'] }])
  })

  test('a document that moves takes its name along', async () => {
    const { store } = await open()
    const wanted = asking(link('H', { source: 'b.md' }))
    await addDocument(store, source('t.md'), [{ id: 't', text: 't', links: wanted }])
    const { document } = await addDocument(store, source('a.md'), [{ id: 'h', text: 'H', type: 'heading' }])
    expect(await linksIn(store)).toEqual(['t>H'])
    await writing(store, (tx) =>
      withoutSnapshot(tx).moveDocuments([{ documentId: document.id, address: source('sub/b.md') }]),
    )
    expect(await linksIn(store)).toEqual(['t>h 1 parsed'])
  })

  test('a write that fails changes no link', async () => {
    const { store, h } = await linked()
    const failed = writing(store, async (tx) => {
      const { tx: steps, id } = await openSnapshot(tx)
      await steps.applyChanges(id, [{ op: 'rem', key: h.key }])
      await putManualLink(tx, h, link('X'), 0)
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await linksIn(store)).toEqual(['t>h 2 parsed', 't>K'])
    expect(await relationsIn(store)).toEqual({ byOrigin: { parsed: 1 }, pending: 1 })
  })
}
