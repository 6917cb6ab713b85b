import { labelOf } from '../label.ts'
import type { PastState, StateRow } from '../port/history.ts'
import { type DocumentNodeRow, isLive, type NodeRow } from '../port/rows.ts'
import type { ReadTx } from '../port/store.ts'
import { nameOf } from '../rows/node-writes.ts'
import { estimateTokens } from '../tokens.ts'

/** A node as it was at a snapshot, without its text. */
export interface PastNode extends NodeRow {
  /** The snapshot, up to that one, which last changed it. */
  changedIn: number
}

/** A node that may differ from what it is now; null: it did not exist, or does not exist. */
export interface ChangedNode {
  was: PastNode | null
  now: DocumentNodeRow | null
}

/** The nodes that changed after a snapshot. All others were then what they are now. */
export type PastNodes = ReturnType<typeof indexed>

const PAGE = 1000

/** For reads that need no nodes. */
export function noPastNodes(): PastNodes {
  return indexed(new Map())
}

/**
 * Reads what nodes were at a snapshot, at the cost of what changed since. Besides: all nodes of `documents`, which differ in what
 * surrounds them, and those of `hidden`, which were not there.
 */
export async function readPastNodes(
  tx: ReadTx,
  { since, until }: { since: number; until: number },
  { documents, hidden }: { documents: Iterable<number>; hidden: ReadonlySet<number> },
): Promise<PastNodes> {
  const changed = new Map<number, ChangedNode>()
  async function addAll(rows: readonly DocumentNodeRow[]): Promise<void> {
    const unknown = rows.filter(({ key }) => !changed.has(key))
    const states = await statesOf(tx, unknown, since)
    for (const row of unknown) {
      const state = hidden.has(row.documentId) ? undefined : states.get(row.key)
      changed.set(row.key, { was: state ? pastNode(row, state) : null, now: isLive(row) ? row : null })
    }
  }
  for (let after = 0, isMore = since < until; isMore; ) {
    const page = await tx.nodes({ changedIn: { since, until }, after, limit: PAGE }, 'full')
    await addAll(page)
    after = page.at(-1)?.key ?? after
    isMore = page.length === PAGE
  }
  for (const document of [...documents, ...hidden]) await addAll(await tx.nodes({ document }, 'full'))
  return indexed(changed)
}

async function statesOf(
  tx: ReadTx,
  rows: readonly DocumentNodeRow[],
  since: number,
): Promise<Map<number, StateRow & { state: PastState }>> {
  const states = rows.length === 0 ? [] : await tx.statesAt(keysOf(rows), since)
  return new Map(states.flatMap(({ state, ...row }) => (state ? [[row.key, { ...row, state }]] : [])))
}

function pastNode(row: NodeRow, { state, snapshotId }: StateRow & { state: PastState }): PastNode {
  const { key, id, documentId } = row
  const { parentKey, position, type, format, digest, links, text } = state
  const label = state.label ?? labelOf(state)
  const content = { type, format, label, name: nameOf(type, label), tokens: estimateTokens(text) }
  const place = { key, id, documentId, parentKey, position }
  return { ...place, ...content, digest, links, mark: null, removedIn: null, changedIn: snapshotId }
}

function indexed(changed: ReadonlyMap<number, ChangedNode>) {
  const all = [...changed.values()]
  const were = all.flatMap((one) => one.was ?? [])
  const now = all.flatMap((one) => one.now ?? [])
  const below = Map.groupBy(were, placeName)
  const replaced = Map.groupBy(now, placeName)
  const documents = Map.groupBy(all, ({ was, now }) => (was ?? now)?.documentId ?? 0)
  const byId = new Map(were.map((node) => [node.id, node]))
  return {
    /** How many may differ. */
    size: changed.size,
    get: (key: number): ChangedNode | undefined => changed.get(key),
    has: (key: number): boolean => changed.has(key),
    /** Those that existed then. */
    were,
    now,
    findId: (id: string): PastNode | undefined => byId.get(id),
    /** Those that were children of a node, or roots of a document. */
    childrenOf: (place: SiblingsOf): readonly PastNode[] => below.get(placeName(place)) ?? [],
    /** How many of today's children or roots differ. */
    replacedIn: (place: SiblingsOf): number => replaced.get(placeName(place))?.length ?? 0,
    /** Whether siblings differ. */
    differsIn: (place: SiblingsOf): boolean => below.has(placeName(place)) || replaced.has(placeName(place)),
    /** By document. */
    documents: documents as ReadonlyMap<number, readonly ChangedNode[]>,
  }
}

/** Children of a node; for null, roots of a document. */
export interface SiblingsOf {
  parentKey: number | null
  documentId: number
}

function placeName({ parentKey, documentId }: SiblingsOf): string {
  return parentKey === null ? `roots of ${documentId}` : `below ${parentKey}`
}

export function keysOf(rows: readonly { key: number }[]): number[] {
  return rows.map(({ key }) => key)
}
