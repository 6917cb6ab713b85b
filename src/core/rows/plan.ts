import type { Hash64 } from '../digest.ts'
import { nodeMark } from '../digest.ts'
import type { IndexRow } from '../find/query/index-row.ts'
import { labelOf } from '../label.ts'
import type { NodeState } from '../model.ts'
import type { DocumentNodeRow } from '../port/store.ts'
import type { OverlayPut } from '../port/write-set.ts'
import { estimateTokens } from '../tokens.ts'
import type { FlatBlock } from './flatten.ts'

/** A file changed under an agent's edit: the file won. */
export interface Conflict {
  nodeId: string
  /** The operation of the edit: `write`, `summarize`, `forget`, `rollback`. */
  operation: string
  kind: 'changed' | 'removed'
}

/** A change to one node; `mark` is its share of the state digest (see `core/digest.ts`). */
export type NodeChange =
  | {
      op: 'add' | 'mod'
      key: number
      id: string
      documentId: number
      state: NodeState
      /** Null if a text with `state.digest` is already stored. */
      text: string | null
      /** As shown; `state.label` is only set if it cannot be derived. */
      label: string
      tokens: number
      /** The index words, from `indexRow`; null if `text` is. */
      words: IndexRow | null
      mark: bigint
    }
  | { op: 'rem'; key: number }

/** The changes of a write to nodes, collected before anything is written. */
export interface Plan {
  changes: NodeChange[]
  overlays: OverlayPut[]
  removedOverlays: number[]
  conflicts: Conflict[]
}

export function createPlan(): Plan {
  return { changes: [], overlays: [], removedOverlays: [], conflicts: [] }
}

export function mergePlans(plans: readonly Plan[]): Plan {
  const [first] = plans
  if (first && plans.length === 1) return first
  return {
    changes: plans.flatMap(({ changes }) => changes),
    overlays: plans.flatMap(({ overlays }) => overlays),
    removedOverlays: plans.flatMap(({ removedOverlays }) => removedOverlays),
    conflicts: plans.flatMap(({ conflicts }) => conflicts),
  }
}

export interface NodeIdentity {
  key: number
  id: string
  documentId: number
  parentId: string | null
}

/** The change that gives a node new content. */
export function contentChange(
  hash: Hash64,
  op: 'add' | 'mod',
  node: NodeIdentity,
  state: NodeState,
  shown: Pick<FlatBlock, 'text' | 'label' | 'words'>,
): NodeChange {
  return {
    op,
    key: node.key,
    id: node.id,
    documentId: node.documentId,
    state,
    text: shown.text,
    label: shown.label,
    tokens: estimateTokens(shown.text),
    words: shown.words,
    mark: nodeMark(hash, node.id, node.parentId, state),
  }
}

/** The change that only moves a node: its text is already stored. */
export function moveChange(
  hash: Hash64,
  row: DocumentNodeRow,
  text: string,
  target: { parentKey: number | null; parentId: string | null; position: string },
): NodeChange {
  const state = { ...liveState(row, text), parentKey: target.parentKey, position: target.position }
  return {
    op: 'mod',
    key: row.key,
    id: row.id,
    documentId: row.documentId,
    state,
    text: null,
    label: row.label,
    tokens: row.tokens,
    words: null,
    mark: nodeMark(hash, row.id, target.parentId, state),
  }
}

/** The current state of a live node. */
export function liveState(row: DocumentNodeRow, text: string): NodeState {
  const { parentKey, position, type, format, digest, links } = row
  const label = row.label === labelOf({ type, format, text }) ? null : row.label
  return { parentKey, position, type, format, label, digest, links }
}

/** The same without the label: the base of an overlay has none. */
export function stateWithoutLabel(row: DocumentNodeRow): NodeState {
  const { parentKey, position, type, format, digest, links } = row
  return { parentKey, position, type, format, label: null, digest, links }
}

export function blockState(
  block: Pick<FlatBlock, 'type' | 'format' | 'ownLabel' | 'digest' | 'links'>,
  parentKey: number | null,
  position: string,
): NodeState {
  const { type, format, ownLabel: label, digest, links } = block
  return { parentKey, position, type, format, label, digest, links }
}

type Content = Pick<NodeState, 'digest' | 'type' | 'format'>

export function isSameContent(a: Content, b: Content): boolean {
  return a.digest === b.digest && a.type === b.type && a.format === b.format
}

export function isSamePlace(
  a: Pick<NodeState, 'parentKey' | 'position'>,
  b: Pick<NodeState, 'parentKey' | 'position'>,
): boolean {
  return a.parentKey === b.parentKey && a.position === b.position
}

/** Whether a node already has this state, in all that is versioned. */
export function isUnchanged(row: DocumentNodeRow, state: NodeState, label: string): boolean {
  return (
    isSamePlace(row, state) && isSameContent(row, state) && row.label === label && row.links === state.links
  )
}
