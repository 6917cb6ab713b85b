import { expect, test } from 'vitest'
import { indexRow } from '../../src/core/find/query/index-row.ts'
import { erase } from '../../src/core/history/erase.ts'
import { previewRollback, rollback } from '../../src/core/history/rollback.ts'
import type { Address } from '../../src/core/model.ts'
import type { Engine, ReadTx, Store } from '../../src/core/port/store.ts'
import { setHeat } from '../../src/core/rows/heat.ts'
import { readSpace } from '../../src/core/transfer/export.ts'
import { exportedNodes } from '../../src/core/transfer/export-rows.ts'
import type { ImportItem } from '../../src/core/transfer/import-items.ts'
import { createLoader } from '../../src/core/transfer/import-load.ts'
import type { TransferNode } from '../../src/core/transfer/transfer-rows.ts'
import { documentAt } from '../../src/core/write/documents.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { healthOf } from '../support/health.ts'
import {
  ABOUT,
  addDocument,
  change,
  commit,
  hash,
  note,
  put,
  source,
  stateOf,
  type TestNode,
} from '../support/store-changes.ts'
import { rootsOf } from '../support/store-reads.ts'
import { exportText, importText } from '../support/transfer.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

const HEAT = { value: 0.25, clock: 2, pinned: false, accesses: 7, accessedAt: 1234, told: false }
const SPACE = { headId: 5, heat: { clock: 3, tickedAt: 99, frozen: true, coldBelow: 0.1 } }

export function transferContract(open: OpenEmpty): void {
  const failing = async (store: Store) =>
    (await store.read(healthOf)).filter((check) => check.status !== 'pass')

  async function copyOf(engine: Engine): Promise<Engine> {
    const copy = await open()
    const text = await exportText(engine.store)
    await importText(copy.store, text)
    expect(await exportText(copy.store)).toBe(text)
    expect(await failing(copy.store)).toEqual([])
    return copy
  }

  /** Every door, edited, removed, erased and rolled back. */
  async function withHistory(): Promise<Engine> {
    const engine = await open()
    const { store, maintenance } = engine
    const deps = { store, maintenance, hash, now: () => 1, author: 'tester', redact: (text: string) => text }
    const doors: Address[] = [
      { kind: 'file', node: 'n', scope: 'perThread', thread: 't', path: '/a b' },
      { kind: 'key', key: 'a key' },
      { kind: 'record', id: 'r' },
    ]
    for (const [at, address] of doors.entries())
      await addDocument(
        store,
        address,
        [{ id: `door0000000${at}`.slice(-11), text: `text ${at}` }],
        `exact ${at}`,
      )
    const { nodes } = await addDocument(store, source('a.md'), [
      { id: 'heading0000', text: 'Heading', type: 'heading' },
      { id: 'leaf0000000', text: 'leaf', under: 0, links: '[["Heading",2,"",""]]' },
      { id: 'gone0000000', text: 'gone', label: 'own label' },
    ])
    const [heading, leaf, gone] = nodes as [TestNode, TestNode, TestNode]
    await commit(store, async (tx, id) => {
      await put(tx, id, doors[0] as Address, 'exact again')
      await tx.applyChanges(id, [change('mod', { ...leaf, text: 'edited' }), { op: 'rem', key: gone.key }])
      const base = { ...stateOf(leaf), label: null, links: null }
      const overlays = [
        { nodeKey: leaf.key, operation: 'write', base },
        { nodeKey: gone.key, operation: 'forget', base: null },
      ]
      await tx.commit({ overlays: { put: overlays, remove: [] } })
    })
    await writing(store, (tx) => setHeat(tx, [heading.key], { value: 0.75, pinned: true }))
    await addDocument(store, note('secret'), [{ id: 'secret00000', text: 'secret' }], 'secret')
    await erase(deps, note('secret'))
    await addDocument(store, note('dropped'), [{ id: 'dropped0000', text: 'dropped' }])
    const head = (await store.read((tx) => tx.state())).head
    await rollback(deps, { snapshotId: (head?.id ?? 0) - 1, dropAfter: true })
    await commit(store, (tx, id) => tx.applyChanges(id, [change('mod', { ...heading, text: 'Heading 2' })]))
    return engine
  }

  const snapshot = (id: number): ImportItem => ({
    kind: 'snapshot',
    row: { ...ABOUT, id, parentId: null, cursorHash: '0'.repeat(16) },
  })
  const document = (id: number, name: string): ImportItem => {
    const row = { id, address: note(name), state: 'live', digest: null, text: null, revision: 4 } as const
    return { kind: 'document', row: { ...row, createdAt: 1, updatedAt: 2, door: null } }
  }
  function node(input: Partial<TransferNode> & Pick<TransferNode, 'key' | 'id'>): ImportItem[] {
    const text = `text of ${input.id}`
    const said = { position: 'a0', type: 'heading', format: 'plain', label: null, links: null } as const
    const row = {
      documentId: 1,
      parentKey: null,
      removed: null,
      heat: HEAT,
      overlay: null,
      links: [],
      ...input,
    }
    const digest = contentDigest(text)
    const words = indexRow({ type: said.type, label: text, text })
    const state = { ...said, parentKey: row.parentKey, text }
    return [
      { kind: 'version', row: { nodeKey: row.key, snapshotId: 5, op: 'add', state }, digest },
      {
        kind: 'node',
        row: { ...row, current: { state: { ...said, digest }, label: text, tokens: 6, words } },
      },
    ]
  }
  async function fill(store: Store, items: ImportItem[]): Promise<number | null> {
    return writing(store, async (tx) => {
      const loader = createLoader(tx, { hash, now: 1 })
      const repeated = await loader.store(items)
      await loader.finish(SPACE.heat, { recomputeHead: true })
      return repeated
    })
  }

  const exported = async (tx: ReadTx) => exportedNodes(tx, await tx.scan('nodes', { limit: 9 }))

  test('a copy says the same of everything, and its export is the same text', async () => {
    const engine = await withHistory()
    const copy = await copyOf(engine)
    const everything = ({ store }: Engine) =>
      store.read(async (tx) => ({
        files: [
          ...(await tx.documents({ kind: 'source' }, 'size')),
          ...(await tx.documents({ kind: 'note' }, 'size')),
        ],
        roots: await rootsOf(tx),
        versions: await tx.versions({ since: 0, until: 1000 }, { limit: 1000 }),
        summary: await tx.summary({ hot: 0.5, cold: 0.1 }),
        overlays: await tx.countRows('overlays'),
        document: await documentAt(tx, { kind: 'key', key: 'a key' }, 'row'),
        secret: await documentAt(tx, note('secret'), 'row'),
      }))
    expect(await everything(copy)).toEqual(await everything(engine))
  })

  test('an empty memory becomes an empty memory', async () => {
    const engine = await open()
    const copy = await copyOf(engine)
    expect((await copy.store.read((tx) => tx.state())).head).toBeUndefined()
  })

  test('a copy goes on as the original does', async () => {
    const engine = await withHistory()
    const copy = await copyOf(engine)
    const goOn = async ({ store }: Engine) => {
      const { document, nodes, snapshot } = await addDocument(store, note('new'), [
        { id: 'new00000000', text: 'new' },
      ])
      return {
        document,
        nodes,
        snapshot,
        heat: await store.read((tx) => tx.nodes({ keys: [1, 2, 3, 4, 5] }, 'heat')),
      }
    }
    expect(await goOn(copy)).toEqual(await goOn(engine))
  })

  test('keeps the clock of heat, and what each node had at which reading', async () => {
    const { store } = await open()
    const pinned = { ...HEAT, pinned: true }
    await fill(store, [
      snapshot(5),
      document(1, 'n'),
      ...node({ key: 3, id: 'a' }),
      ...node({ key: 7, id: 'b', heat: pinned }),
    ])
    expect(await store.read(readSpace)).toEqual({
      ...SPACE,
      counts: { snapshots: 1, documents: 1, documentVersions: 0, nodes: 2, versions: 2 },
    })
    expect(await store.read((tx) => tx.scan('heat', { limit: 9 }))).toMatchObject([
      { key: 3, ...HEAT },
      { key: 7, ...pinned },
    ])
    expect(await store.read((tx) => tx.nodes({ keys: [3] }, 'heat'))).toMatchObject([
      { value: 0.25 * Math.exp(-1), accesses: 7 },
    ])
  })

  test('a scan gives every row of a table once, in the order of its key', async () => {
    const { store } = await withHistory()
    await store.read(async (tx) => {
      const tables = ['snapshots', 'documents', 'documentVersions', 'nodes', 'versions'] as const
      for (const table of tables)
        expect(await tx.scan(table, { limit: 1000 })).toHaveLength(await tx.countRows(table))
      const versions = await tx.scan('versions', { limit: 1000 })
      expect(versions).toEqual(
        versions.toSorted((a, b) => a.nodeKey - b.nodeKey || a.snapshotId - b.snapshotId),
      )
      const [first, second, third] = versions
      const after = [first?.nodeKey ?? 0, first?.snapshotId ?? 0]
      expect(await tx.scan('versions', { after, limit: 2 })).toEqual([second, third])
      const last = versions.at(-1)?.nodeKey ?? 0
      expect(await tx.scan('versions', { of: { nodeKey: [last] }, limit: 1000 })).toEqual(
        versions.filter(({ nodeKey }) => nodeKey === last),
      )
    })
  })

  test('keeps links made by hand, in their order, also of a removed node', async () => {
    const { store } = await open()
    const links = ['Z', 'A'].map((label, at) => ({
      label,
      weight: at + 0.5,
      source: 'a.md',
      id: '',
      createdAt: at,
    }))
    const removed = { in: 5, type: 'list', format: 'toon' } as const
    const gone = {
      key: 4,
      id: 'b',
      documentId: 1,
      parentKey: null,
      removed,
      heat: HEAT,
      overlay: null,
      links,
    }
    await fill(store, [
      snapshot(5),
      document(1, 'n'),
      ...node({ key: 3, id: 'a', links }),
      { kind: 'node', row: { ...gone, current: null } },
    ])
    expect(await store.read(exported)).toMatchObject([{ links }, { links, removed }])
  })

  test('takes links that redaction made equal as one', async () => {
    const { store } = await open()
    const link = { label: 'A', weight: 1, source: '', id: '', createdAt: 1 }
    const items = [snapshot(5), document(1, 'n'), ...node({ key: 3, id: 'a', links: [link, link] })]
    expect(await fill(store, items)).toBeNull()
    expect(await store.read(exported)).toMatchObject([{ links: [link] }])
  })

  test('takes nodes before their parents, in whatever order keys are', async () => {
    const { store } = await open()
    const items = [
      ...node({ key: 3, id: 'a', parentKey: 9 }),
      document(2, 'm'),
      ...node({ key: 9, id: 'b', documentId: 2, parentKey: 4 }),
      ...node({ key: 4, id: 'c', documentId: 2 }),
    ]
    expect(await fill(store, [snapshot(5), document(1, 'n'), ...items])).toBeNull()
    expect(await failing(store)).toEqual([])
  })

  test.each([
    ['address', [document(1, 'a'), document(2, 'a')], 1],
    ['key', [...node({ key: 1, id: 'a' }), ...node({ key: 1, id: 'b' })], 2],
    ['id', [...node({ key: 1, id: 'a' }), ...node({ key: 2, id: 'a' })], 3],
  ] satisfies [string, ImportItem[], number][])(
    'tells the place of a %s that is there already',
    async (_, items, place) => {
      const { store } = await open()
      const refused = writing(store, async (tx) => {
        const loader = createLoader(tx, { hash, now: 1 })
        await loader.store([snapshot(5), document(9, 'n')])
        throw new Error(`place ${await loader.store(items)}`)
      })
      await expect(refused).rejects.toThrow(`place ${place}`)
      const inParts = writing(store, async (tx) => {
        const loader = createLoader(tx, { hash, now: 1 })
        await loader.store([snapshot(5), document(9, 'n'), ...items.slice(0, place)])
        throw new Error(`place ${await loader.store(items.slice(place))}`)
      })
      await expect(inParts).rejects.toThrow('place 0')
    },
  )

  test('refuses a history that names a parent that is not there', async () => {
    const { store } = await open()
    const items = [snapshot(5), document(1, 'n'), ...node({ key: 3, id: 'a', parentKey: 8 })]
    await expect(fill(store, items)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(await store.read(readSpace)).toMatchObject({ headId: null, counts: { nodes: 0 } })
  })

  /** Nodes `a` and `b` with what each snapshot made of their parents; 'gone' where one went. */
  function pasts(a: (number | null | 'gone')[], b: (number | null | 'gone')[]): ImportItem[] {
    const snapshots = [1, 2, 5].map(snapshot)
    const nodes = [a, b].flatMap((parents, at) => {
      const key = at + 1
      const [present, current] = node({ key, id: `node000000${key}` })
      if (present?.kind !== 'version' || current?.kind !== 'node') throw new Error('not a node')
      const versions = parents.map((parentKey, place): ImportItem => {
        const [snapshotId, op] = [[1, 2, 5][place] as number, place === 0 ? 'add' : 'mod'] as const
        if (parentKey === 'gone')
          return { kind: 'version', row: { nodeKey: key, snapshotId, op: 'rem', state: null }, digest: null }
        const state = present.row.state && { ...present.row.state, parentKey }
        return { ...present, row: { nodeKey: key, snapshotId, op, state } }
      })
      const removed = { in: 5, type: 'text', format: 'plain' } as const
      const isGone = parents.at(-1) === 'gone'
      return [...versions, isGone ? { ...current, row: { ...current.row, removed, current: null } } : current]
    })
    return [...snapshots, document(1, 'n'), ...nodes]
  }

  test('refuses a history in which a node was below itself', async () => {
    const { store } = await open()
    const refused = { code: 'INVALID_INPUT', message: expect.stringContaining('snapshot 2') }
    await expect(fill(store, pasts([null, 2, null], [null, 1, null]))).rejects.toMatchObject(refused)
    await expect(fill(store, pasts([null, 2, null], [1, 1, null]))).rejects.toMatchObject(refused)
    await expect(fill(store, pasts([null, 1, null], [null, null, null]))).rejects.toMatchObject(refused)
    expect(await fill(store, pasts([null, 2, null], [null, null, 1]))).toBeNull()
  })

  test('refuses a node that was under its parent when that was not there', async () => {
    const { store } = await open()
    const refused = { code: 'INVALID_INPUT', message: expect.stringContaining('did not exist') }
    const under = (items: ImportItem[]) =>
      items.map((item) =>
        item.kind === 'node' && item.row.key === 1 ? { ...item, row: { ...item.row, parentKey: 2 } } : item,
      )
    const gap = under(pasts([null, 2], [null, 'gone', null]))
    await expect(fill(store, gap)).rejects.toMatchObject(refused)
    const late = under(pasts([2], [null])).map((item) =>
      item.kind === 'version' && item.row.nodeKey === 2
        ? { ...item, row: { ...item.row, snapshotId: 2 } }
        : item,
    )
    await expect(fill(store, late)).rejects.toMatchObject(refused)
    expect(await fill(store, under(pasts([null, null, 2], [null, 'gone', null])))).toBeNull()
  })

  test('going back to where a parent was gone makes its children roots', async () => {
    const engine = await open()
    const { store, maintenance } = engine
    expect(await fill(store, pasts([null, 2, null], [null, 'gone', 'gone']))).toBeNull()
    const deps = { store, maintenance, hash, now: () => 1, author: 'tester', redact: (text: string) => text }
    await rollback(deps, { snapshotId: 2 })
    expect(await failing(store)).toEqual([])
    expect(await store.read((tx) => rootsOf(tx))).toMatchObject([{ key: 1 }])
  })

  test('a preview of going back has a node whose parent is gone at the top, where it is now', async () => {
    const { store } = await open()
    expect(await fill(store, pasts([2, 2, 2], [null, 'gone', 'gone']))).toBeNull()
    const { changes } = await previewRollback(store, { snapshotId: 1 })
    const parents = changes.map(({ nodeKey, old, new: then }) => [nodeKey, old?.parentId, then?.parentId])
    expect(parents).toEqual([
      [1, null, 'node0000002'],
      [2, undefined, null],
    ])
  })
}
