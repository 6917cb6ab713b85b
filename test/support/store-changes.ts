import { nodeMark } from '../../src/core/digest.ts'
import { indexRow } from '../../src/core/find/query/index-row.ts'
import { labelOf } from '../../src/core/label.ts'
import type { Address, Format, NodeState, NodeType } from '../../src/core/model.ts'
import type { Attributes, TextPiece } from '../../src/core/port/doors.ts'
import type {
  DocumentRow,
  NewSnapshot,
  ReadTx,
  SnapshotRow,
  Store,
  WriteTx,
} from '../../src/core/port/store.ts'
import type { OverlayPut } from '../../src/core/port/write-set.ts'
import { changeNodes } from '../../src/core/rows/change-nodes.ts'
import {
  appendPiece,
  buryDocument,
  clearDigests,
  type DocumentPut,
  dropDocuments,
  moveDocuments,
  storeDocuments,
} from '../../src/core/rows/documents.ts'
import { dropHistory, eraseHistory } from '../../src/core/rows/forget-history.ts'
import type { NodeChange } from '../../src/core/rows/plan.ts'
import { documentsSince, restoreDocuments } from '../../src/core/rows/restore-documents.ts'
import { estimateTokens } from '../../src/core/tokens.ts'
import { newPutContext, type PutContext } from '../../src/core/write/put.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { loadXxh64 } from '../../src/util/text/xxh64.ts'
import { writing } from './writing.ts'

export const hash = await loadXxh64()

/** What a test says of a node; the rest is derived as the real write path derives it. */
export interface NodeInput {
  id: string
  text: string
  parent?: { key: number; id: string } | null
  position?: string
  type?: NodeType
  format?: Format
  label?: string
  links?: string
}

export interface TestNode extends NodeInput {
  key: number
  documentId: number
}

export const ABOUT: NewSnapshot = {
  author: 'tester',
  operation: 'test',
  message: 'a test',
  root: '',
  createdAt: 1_700_000_000_000,
}

/** A transaction with its one snapshot, and the steps that operations take in it. */
export interface SnapshotTx extends WriteTx {
  allocateKeys(count: number): Promise<number>
  applyChanges(snapshotId: number, changes: NodeChange[]): Promise<void>
  putDocuments(
    puts: (DocumentPut & { at?: number; userId?: string | null })[],
    snapshotId: number | null,
  ): Promise<DocumentRow[]>
  dropDocument(documentId: number, snapshotId: number | null): Promise<void>
  moveDocuments(moves: { documentId: number; address: Address }[]): Promise<void>
  clearDigests(documentIds: number[], snapshotId: number): Promise<void>
  restoreDocuments(target: number, snapshotId: number): Promise<void>
  appendText(input: {
    documentId: number
    piece: TextPiece
    attributes: Attributes
    at: number
    snapshotId: number
  }): Promise<void>
  /** With its nodes and all history; the tombstone has `attributes`. */
  eraseDocument(documentId: number, snapshotId: number, attributes?: Attributes): Promise<void>
  /** Forgets the snapshots after `target`, but for this one. Returns how many. */
  dropSnapshots(target: number): Promise<number>
  finishSnapshot(): Promise<SnapshotRow>
}

/** One snapshot in one transaction: what every operation does. */
export function commit<T>(
  store: Store,
  work: (tx: SnapshotTx, snapshotId: number) => Promise<T>,
  about: Partial<NewSnapshot> = {},
): Promise<{ snapshot: SnapshotRow; value: T }> {
  return writing(store, async (plain) => {
    const { tx, id } = await openSnapshot(plain, about)
    const value = await work(tx, id)
    return { value, snapshot: await tx.finishSnapshot() }
  })
}

export async function openSnapshot(
  tx: WriteTx,
  about: Partial<NewSnapshot> = {},
): Promise<{ tx: SnapshotTx; id: number }> {
  const { createdAt, ...rest } = { ...ABOUT, ...about }
  const context = newPutContext(tx, { hash, now: createdAt }, rest)
  const id = await context.snapshot.id()
  return { tx: stepsOf(context), id }
}

/** The same without a snapshot, until something asks for it. */
export function withoutSnapshot(tx: WriteTx): SnapshotTx {
  const { createdAt, ...about } = ABOUT
  return stepsOf(newPutContext(tx, { hash, now: createdAt }, about))
}

function stepsOf(context: PutContext): SnapshotTx {
  const { tx, snapshot, newKeys } = context
  const rowOf = async (id: number | null) => (id === null ? null : snapshot.row())
  const steps: Omit<SnapshotTx, keyof WriteTx> = {
    async putDocuments(puts, snapshotId) {
      const ids: number[] = []
      for (const { at = context.at, userId = null, ...put } of puts) {
        const by = { ...context, at, userId }
        for (const { after } of await storeDocuments(by, [put], await rowOf(snapshotId))) ids.push(after.id)
      }
      return tx.documents({ ids }, 'row')
    },
    dropDocument: async (documentId, snapshotId) =>
      dropDocuments(context, await tx.documents({ ids: [documentId] }, 'stored'), await rowOf(snapshotId)),
    moveDocuments: async (moves) => moveDocuments(context, moves, await snapshot.row()),
    clearDigests: async (ids) =>
      clearDigests(context, await tx.documents({ ids }, 'stored'), await snapshot.row(), new Map()),
    restoreDocuments: async (target) =>
      restoreDocuments(context, await documentsSince(tx, target), await snapshot.row(), new Map()),
    appendText: async ({ at, ...input }) => appendPiece({ ...context, at }, input, await snapshot.row()),
    allocateKeys: newKeys,
    applyChanges: (_, changes) => changeNodes(context, changes),
    async eraseDocument(documentId, _, attributes) {
      await eraseHistory(context, documentId)
      await buryDocument(context, documentId, await snapshot.row(), attributes ?? null)
    },
    async dropSnapshots(target) {
      await snapshot.setParent(target)
      return dropHistory(context, target)
    },
    finishSnapshot: () => snapshot.finish() as Promise<SnapshotRow>,
  }
  return Object.assign(Object.create(tx), steps) as SnapshotTx
}

/** The exact text of a document; null where it has none. */
export async function documentText(tx: ReadTx, id: number): Promise<string | null> {
  return (await tx.documents({ ids: [id] }, 'text'))[0]?.text ?? null
}

export function stateOf(node: TestNode): NodeState {
  return {
    parentKey: node.parent?.key ?? null,
    position: node.position ?? 'a0',
    type: node.type ?? 'text',
    format: node.format ?? 'plain',
    label: node.label ?? null,
    links: node.links ?? null,
    digest: contentDigest(node.text),
  }
}

export function markOf(node: TestNode): bigint {
  return nodeMark(hash, node.id, node.parent?.id ?? null, stateOf(node))
}

export function change(op: 'add' | 'mod', node: TestNode): NodeChange {
  const state = stateOf(node)
  const label = node.label ?? labelOf({ ...state, text: node.text })
  return {
    op,
    key: node.key,
    id: node.id,
    documentId: node.documentId,
    state,
    text: node.text,
    label,
    tokens: estimateTokens(node.text),
    words: indexRow({ type: state.type, label, text: node.text }),
    mark: markOf(node),
  }
}

/** Creates or replaces one document. */
export async function put(
  tx: SnapshotTx,
  snapshotId: number | null,
  address: Address,
  text: string | null = null,
): Promise<DocumentRow> {
  const digest = contentDigest(text ?? JSON.stringify(address))
  const [row] = await tx.putDocuments([{ address, digest, text }], snapshotId)
  return row as DocumentRow
}

/** Adds nodes to a document; each may name an earlier one of the list as its parent by place. */
export async function addNodes(
  tx: SnapshotTx,
  snapshotId: number,
  documentId: number,
  inputs: (Omit<NodeInput, 'parent'> & { under?: number })[],
): Promise<TestNode[]> {
  const first = await tx.allocateKeys(inputs.length)
  const nodes: TestNode[] = []
  for (const [at, { under, ...input }] of inputs.entries()) {
    const parent = under === undefined ? null : (nodes[under] as TestNode)
    nodes.push({ position: `a${at}`, ...input, parent, key: first + at, documentId })
  }
  await tx.applyChanges(
    snapshotId,
    nodes.map((node) => change('add', node)),
  )
  return nodes
}

export function putOverlays(store: Store, put: OverlayPut[]): Promise<void> {
  return writing(store, (tx) => tx.commit({ overlays: { put, remove: [] } }))
}

export function deleteOverlays(store: Store, remove: number[]): Promise<void> {
  return writing(store, (tx) => tx.commit({ overlays: { put: [], remove } }))
}

/** A document with nodes, in a snapshot of its own. */
export async function addDocument(
  store: Store,
  address: Address,
  inputs: (Omit<NodeInput, 'parent'> & { under?: number })[],
  text: string | null = null,
  about: Partial<NewSnapshot> = {},
): Promise<{ document: DocumentRow; nodes: TestNode[]; snapshot: SnapshotRow }> {
  const work = async (tx: SnapshotTx, id: number) => {
    const document = await put(tx, id, address, text)
    return { document, nodes: await addNodes(tx, id, document.id, inputs) }
  }
  const { snapshot, value } = await commit(store, work, about)
  return { ...value, snapshot }
}

export const note = (id: string): Address => ({ kind: 'note', id })
export const source = (path: string, root = 'docs'): Address => ({ kind: 'source', root, path })
