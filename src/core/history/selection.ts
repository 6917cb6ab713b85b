import type { PastState } from '../port/history.ts'
import { isLive } from '../port/rows.ts'
import type { ReadTx } from '../port/store.ts'
import { PAGE, type PastNode } from './bring-back.ts'
import type { DocumentTarget } from './document-histories.ts'

/** Why bringing something back would lose, or move, what nobody asked to change. */
export type ConflictKind =
  /** It changed later, by a snapshot that is not reverted. */
  | 'changed'
  /** It stands below a node that would be gone, and would become a root. */
  | 'below'
  /** It is part of the same key, record or file, which is stored as one text. */
  | 'beside'

/** What is to have an earlier state again, and where that is in conflict with other changes. */
export interface Selection {
  /** By key: the snapshot whose state a node is to have again. */
  nodes: Map<number, number>
  /** Documents that get their exact state again. Notes that are not among them are edited by hand. */
  documents: DocumentTarget[]
  /** By key of a node. */
  nodeConflicts: Map<number, ConflictKind>
  /** By id of a document. */
  documentConflicts: Map<number, ConflictKind>
  /** Documents that stay erased. */
  erased: number
}

export function emptySelection(): Selection {
  return {
    nodes: new Map(),
    documents: [],
    nodeConflicts: new Map(),
    documentConflicts: new Map(),
    erased: 0,
  }
}

/** What becomes of a selected node. */
interface Fate {
  /** The snapshot whose state it gets. */
  at: number
  wasLive: boolean
  isLive: boolean
  parentKey: number | null
  /** Its parent changes. */
  isMoved: boolean
}
export type Fates = Map<number, Fate>

/**
 * Decides what becomes of each selected node, so that all of them fit into what is there now: a node whose parent is
 * gone becomes a root. Adds the nodes that are left behind, and their conflicts.
 */
export async function decideNodes(tx: ReadTx, selection: Selection, head: number): Promise<Fates> {
  const fates = await fatesOf(tx, selection.nodes)
  await dropDeadParents(tx, fates, selection)
  await addLeftBehind(tx, fates, selection, head)
  await breakCycles(tx, fates)
  return fates
}

/** Selected nodes with the states that they get, page by page. */
export async function* decidedNodes(tx: ReadTx, fates: Fates): AsyncGenerator<PastNode[]> {
  for (const keys of chunksOf([...fates.keys()])) {
    const page = await nodesThen(tx, keys, (key) => fates.get(key)?.at ?? 0)
    yield page.map(({ current, past }) => ({ current, past: past && inPlace(past, fates.get(current.key)) }))
  }
}

function inPlace(past: PastState, fate: Fate | undefined): PastState {
  return fate?.parentKey == null ? { ...past, parentKey: null, parentId: null } : past
}

async function fatesOf(tx: ReadTx, nodes: Selection['nodes']): Promise<Fates> {
  const fates: Fates = new Map()
  for (const keys of chunksOf([...nodes.keys()])) {
    for (const { current, past } of await nodesThen(tx, keys, (key) => nodes.get(key) ?? 0)) {
      const { key, parentKey: now } = current
      const parentKey = past?.parentKey ?? null
      const at = nodes.get(key) as number
      const isMoved = past !== null && parentKey !== now
      fates.set(key, { at, wasLive: isLive(current), isLive: past !== null, parentKey, isMoved })
    }
  }
  return fates
}

async function nodesThen(
  tx: ReadTx,
  keys: readonly number[],
  at: (key: number) => number,
): Promise<PastNode[]> {
  const states = new Map<number, PastState | null>()
  for (const [snapshotId, together] of Map.groupBy(keys, at))
    for (const { key, state } of await tx.statesAt(together, snapshotId)) states.set(key, state)
  const rows = await tx.nodes({ keys, removed: true }, 'full')
  return rows.map((current) => ({ current, past: states.get(current.key) ?? null }))
}

/** Where a parent would be gone because of this selection, that is a conflict. */
async function dropDeadParents(tx: ReadTx, fates: Fates, { nodeConflicts }: Selection): Promise<void> {
  const outside = new Set<number>()
  for (const { parentKey } of fates.values())
    if (parentKey !== null && !fates.has(parentKey)) outside.add(parentKey)
  const live = new Set<number>()
  for (const keys of chunksOf([...outside]))
    for (const { key } of await tx.nodes({ keys }, 'id')) live.add(key)
  for (const [key, fate] of fates) {
    if (!fate.isLive || fate.parentKey === null) continue
    const parent = fates.get(fate.parentKey)
    if (parent ? parent.isLive : live.has(fate.parentKey)) continue
    if (parent?.wasLive) nodeConflicts.set(key, 'below')
    Object.assign(fate, { parentKey: null, isMoved: true })
  }
}

/** Nodes below one that would be gone, and not selected themselves. */
async function addLeftBehind(
  tx: ReadTx,
  fates: Fates,
  { nodeConflicts }: Selection,
  head: number,
): Promise<void> {
  const leaving = [...fates].filter(([, { wasLive, isLive }]) => wasLive && !isLive).map(([key]) => key)
  for (const parents of chunksOf(leaving)) {
    for (const { key } of await tx.nodes({ parents }, 'full')) {
      if (fates.has(key)) continue
      fates.set(key, { at: head, wasLive: true, isLive: true, parentKey: null, isMoved: true })
      nodeConflicts.set(key, 'below')
    }
  }
}

/** A node whose parent then stands below it now becomes a root. */
async function breakCycles(tx: ReadTx, fates: Fates): Promise<void> {
  const moved = [...fates.values()].filter(({ isMoved, parentKey }) => isMoved && parentKey !== null)
  const parents = new Map<number, number | null>()
  for (const keys of chunksOf([...new Set(moved.map(({ parentKey }) => parentKey as number))]))
    for (const row of await tx.walk({ keys }, { direction: 'up', fields: 'lineage' }))
      parents.set(row.key, row.parentKey)
  for (const [key, { parentKey }] of fates) parents.set(key, parentKey)
  for (const [key, fate] of fates) {
    if (!fate.isMoved || !isAbove(key, fate.parentKey, parents)) continue
    fate.parentKey = null
    parents.set(key, null)
  }
}

/** Whether `key` is `from` or above it. */
function isAbove(key: number, from: number | null, parents: ReadonlyMap<number, number | null>): boolean {
  const seen = new Set<number>()
  for (let at = from; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
    if (at === key) return true
    seen.add(at)
  }
  return false
}

export function* chunksOf<T>(list: readonly T[]): Generator<T[]> {
  for (let at = 0; at < list.length; at += PAGE) yield list.slice(at, at + PAGE)
}
