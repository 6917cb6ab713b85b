import type { NodeFields, NodeSelect } from '../port/nodes.ts'
import { isLive, type NodeRow } from '../port/rows.ts'
import type { ReadTx } from '../port/store.ts'
import { INITIAL_HEAT } from '../rows/coldness.ts'
import { type NodeParts, nodeShapes } from '../rows/node-shapes.ts'
import { pastDocumentReads } from './past-document-reads.ts'
import { keysOf, type PastNode } from './past-nodes.ts'
import { pastSearch } from './past-search.ts'
import { pastTree } from './past-tree.ts'
import type { PastView } from './past-view.ts'
import { pastWalks } from './past-walks.ts'
import { unsupported } from './unsupported.ts'

/** How much of a page of changes is read of each snapshot. */
const CHANGES = 500

/**
 * Reads as of a snapshot, for everything that reads nodes and documents. Heat, pins and links are not versioned: every node has the heat
 * of a new one.
 */
export function pastTx(tx: ReadTx, view: PastView): ReadTx {
  const { nodes: past, snapshot } = view
  const tree = pastTree(tx, view)
  const documents = pastDocumentReads(tx, view, tree)

  async function shape<F extends keyof NodeFields>(
    rows: readonly NodeRow[],
    fields: F,
  ): Promise<NodeFields[F][]> {
    const partsOf = await readParts(rows, fields)
    return rows.flatMap((row) => nodeShapes[fields](row, partsOf(row)) ?? [])
  }
  /** Only what the fields need. */
  async function readParts(
    rows: readonly NodeRow[],
    fields: keyof NodeFields,
  ): Promise<(row: NodeRow) => NodeParts> {
    const hasSource = ['brief', 'outline', 'reading'].includes(fields)
    const hasText = ['reading', 'text', 'stored'].includes(fields)
    const [names, texts, children, changes] = await Promise.all([
      hasSource
        ? documents.documents({ ids: [...new Set(rows.map(({ documentId }) => documentId))] }, 'name')
        : [],
      hasText ? tx.texts([...new Set(rows.map(({ digest }) => digest))]) : new Map<string, string>(),
      fields === 'outline' ? tree.children(rows) : new Map<number, NodeRow[]>(),
      fields === 'change' ? changesOf(rows) : new Map<number, number>(),
    ])
    const sources = new Map(names.map(({ id, name }) => [id, name]))
    return ({ key, documentId, digest }) => ({
      ...{ source: sources.get(documentId) ?? '', text: texts.get(digest) ?? null },
      heat: { ...UNREAD, key },
      ...{ temperature: INITIAL_HEAT, overlay: null, parentId: null },
      children: children.get(key)?.length ?? 0,
      changedIn: changes.get(key),
    })
  }
  async function changesOf(rows: readonly NodeRow[]): Promise<Map<number, number>> {
    const states = rows.length === 0 ? [] : await tx.statesAt(keysOf(rows), snapshot.id)
    return new Map(states.map(({ key, snapshotId }) => [key, snapshotId]))
  }

  async function select(wanted: NodeSelect): Promise<NodeRow[]> {
    if ('ids' in wanted) return tree.byIds(wanted.ids)
    if ('keys' in wanted) return tree.byKeys(wanted.keys)
    if ('parents' in wanted) {
      const found = await tree.children(await tree.byKeys(wanted.parents))
      return wanted.parents.flatMap((key) => found.get(key) ?? [])
    }
    if ('document' in wanted) {
      const today = await tx.nodes({ document: wanted.document }, 'full')
      const were = (past.documents.get(wanted.document) ?? []).flatMap(({ was }) => was ?? [])
      return byKey(unchanged(today), were).slice(0, wanted.limit)
    }
    if ('order' in wanted) return wanted.order === 'changed' ? lastChanged(wanted.limit) : []
    if ('removedAfter' in wanted || 'changedIn' in wanted) return unsupported('changed nodes')
    return pageOf(wanted)
  }
  function unchanged<R extends NodeRow>(rows: readonly R[]): R[] {
    return rows.filter(({ key }) => !past.has(key))
  }
  async function pageOf({ after, limit }: { after: number; limit: number }): Promise<NodeRow[]> {
    const today = await tx.nodes({ after, limit: limit + past.now.length }, 'full')
    const were = past.were.filter(({ key }) => key > after)
    return byKey(unchanged(today), were).slice(0, limit)
  }
  /** Newest first: from the snapshot backwards until there are enough. */
  async function lastChanged(limit: number): Promise<NodeRow[]> {
    const changed = new Map<number, number>()
    for (let before = snapshot.id + 1; changed.size < limit; ) {
      const [row] = await tx.snapshots({ before, limit: 1 })
      if (!row) break
      const range = { since: row.id - 1, until: row.id }
      const page = await tx.nodes({ changedIn: range, after: 0, limit: Math.min(limit, CHANGES) }, 'id')
      for (const { key } of page) if (!changed.has(key)) changed.set(key, row.id)
      before = row.id
    }
    const keys = [...changed].sort(([a, x], [b, y]) => y - x || b - a).map(([key]) => key)
    return tree.byKeys(keys.slice(0, limit))
  }

  return {
    nodes: async (wanted, fields) => shape(await select(wanted), fields),
    ...pastWalks(tree, shape),
    ...pastSearch(tx, view, tree),
    ...documents,
    texts: (digests) => tx.texts(digests),
    state: async () => {
      const state = await tx.state()
      return { ...state, head: snapshot, version: `${state.version} at ${snapshot.id}` }
    },
    snapshots: ({ before = Number.MAX_SAFE_INTEGER, ...page }) =>
      tx.snapshots({ ...page, before: Math.min(before, snapshot.id + 1) }),
    versions: ({ until = Number.MAX_SAFE_INTEGER, ...range }, page) =>
      tx.versions({ ...range, until: Math.min(until, snapshot.id) }, page),
    statesAt: (keys, at) => tx.statesAt(keys, Math.min(at, snapshot.id)),
    checkpoints: () => tx.checkpoints(),
    changeCounts: (ids, most) => tx.changeCounts(ids, most),
    documentMoves: async (ids) =>
      (await tx.documentMoves(ids)).filter(({ snapshotId }) => snapshotId <= snapshot.id),
    changedDocuments: () => unsupported('changed documents'),
    movedDocuments: () => unsupported('moved documents'),
    contents: () => unsupported('contents'),
    listFileFacts: () => unsupported('facts of files'),
    links: () => unsupported('links'),
    linkFacts: () => unsupported('links'),
    historyCost: () => unsupported('what history costs'),
    scan: () => unsupported('rows'),
    scanBack: () => unsupported('rows'),
    textSizes: () => unsupported('rows'),
    countRows: () => unsupported('rows'),
    summary: () => unsupported('totals'),
    engineChecks: () => unsupported('checks'),
  }
}

const UNREAD = {
  ...{ value: INITIAL_HEAT, pinned: false, clock: 0, accesses: 0 },
  ...{ accessedAt: null, told: false, coldness: null },
}

function byKey(same: readonly NodeRow[], were: readonly PastNode[]): NodeRow[] {
  return [...same, ...were].filter(isLive).sort((a, b) => a.key - b.key)
}
