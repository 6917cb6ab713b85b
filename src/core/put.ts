import { given } from '../util/given.ts'
import type { Hash64 } from './digest.ts'
import type { Attachment } from './document-to-plan.ts'
import type { FlatBlock } from './flatten.ts'
import type { Address, DocumentKind } from './model.ts'
import { type Conflict, createPlan, type Plan } from './plan.ts'
import { type NewNames, nameNewDocuments, planDocument, planNewDocuments } from './plan-document.ts'
import type { SpaceState } from './port/history.ts'
import type { DocumentRow, OperationTools, SnapshotRow, WriteTx } from './port/store.ts'
import { type LazySnapshot, lazySnapshot, type SnapshotAbout } from './snapshot.ts'
import { changeNodes } from './write/change-nodes.ts'
import {
  addDocuments,
  type DocumentContext,
  type DocumentPut,
  dropDocument,
  putDocuments,
} from './write/documents.ts'
import { checkNext } from './write/next-numbers.ts'

/** A document to store: the only way anything gets in. */
export interface DocumentInput extends DocumentPut {
  flat: FlatBlock[]
  firstRootId?: string
  attachments?: (Attachment | undefined)[]
}

/** How many nodes a transaction added, modified and removed. */
export interface Counts {
  added: number
  modified: number
  removed: number
}

/** What the puts of one transaction share. */
export interface PutContext extends DocumentContext {
  tx: WriteTx
  hash: Hash64
  /** Who makes the change. */
  author: string
  snapshot: LazySnapshot
  /** The first of `count` keys that no node has had. */
  newKeys(count: number): Promise<number>
  /** Carries a plan out. */
  apply(plan: Plan): Promise<void>
  /** What `apply` did so far. */
  counts: Counts
  /** Kinds of the documents met so far. */
  kinds: Map<number, DocumentKind>
}

/** What a transaction with one snapshot starts with. */
export function newPutContext(
  tx: WriteTx,
  { hash, now: at }: Pick<OperationTools, 'hash' | 'now'>,
  about: SnapshotAbout,
  onPlan?: (plan: Plan) => void,
): PutContext {
  let asked: Promise<SpaceState> | undefined
  const base = (): Promise<SpaceState> => {
    asked ??= checkedState(tx)
    return asked
  }
  const snapshot = lazySnapshot(tx, base, { ...about, createdAt: at })
  const counts: Counts = { added: 0, modified: 0, removed: 0 }
  let taken = 0
  return {
    ...{ tx, hash, author: about.author, at, base, snapshot, newKeys, counts, apply },
    ...{ kinds: new Map(), newDocuments: { count: 0 }, versioned: new Map() },
  }

  async function newKeys(count: number): Promise<number> {
    const first = (await base()).nextNodeKey + taken
    taken += count
    return first
  }
  async function apply(plan: Plan): Promise<void> {
    const { changes, overlays: put, settledOverlays: remove } = plan
    onPlan?.(plan)
    for (const { op } of changes) counts[COUNTER[op]]++
    const overlays = put.length + remove.length > 0 ? { put, remove } : undefined
    if (changes.length > 0) await changeNodes({ tx, base, snapshot }, changes, given({ overlays }))
    else if (overlays) await tx.commit({ overlays })
  }
}

async function checkedState(tx: WriteTx): Promise<SpaceState> {
  const state = await tx.state()
  checkNext(state.nextSnapshotId, state.nextDocumentId, state.nextNodeKey)
  return state
}

const COUNTER = { add: 'added', mod: 'modified', rem: 'removed' } as const

/** Of more blocks naming costs more than the question it saves. */
const MAX_EARLY_BLOCKS = 8

/** What the nodes of a document are called if it is new: asked together with whether it is. Undefined: it is to be asked later. */
export async function nameEarly(context: PutContext, input: DocumentInput): Promise<NewNames | undefined> {
  if (input.flat.length > MAX_EARLY_BLOCKS) return undefined
  return nameNewDocuments(context, [withPath(input)])
}

/** Stores documents that were never here before. */
export async function putNewDocuments(
  context: PutContext,
  inputs: readonly DocumentInput[],
  names?: NewNames,
): Promise<void> {
  if (inputs.length === 0) return
  const { hash, apply } = context
  const named = names ?? (await nameNewDocuments(context, inputs.map(withPath)))
  const ids = await addDocuments(context, inputs.map(toPut), await snapshotFor(context, inputs))
  const plan = createPlan()
  const toPlan = inputs.map((input, at) => ({ ...withPath(input), documentId: ids[at] as number }))
  planNewDocuments(hash, plan, toPlan, named)
  await apply(plan)
}

function withPath(input: DocumentInput): DocumentInput & { idPath: string } {
  return { ...input, idPath: idPath(input.address) }
}

/** Replaces what a document says. Nodes that go on keep their identity; returns where the text won over an agent. */
export async function putDocument(
  context: PutContext,
  row: DocumentRow,
  input: DocumentInput,
): Promise<Conflict[]> {
  const { snapshot, apply } = context
  const plan = createPlan()
  await planDocument(context, plan, { ...input, documentId: row.id, idPath: idPath(input.address) })
  await putDocuments(context, [toPut(input)], isRecorded(plan, input) ? await snapshot.row() : null)
  await apply(plan)
  return plan.conflicts
}

/** A document is gone: so is what it said. Tells how many nodes went. */
export async function removeDocument(
  context: PutContext,
  row: DocumentRow,
): Promise<{ conflicts: Conflict[]; nodes: number }> {
  const { snapshot, apply } = context
  const plan = createPlan()
  await planDocument(context, plan, { documentId: row.id, idPath: '', flat: [] })
  const isRecorded = plan.changes.length > 0 || row.address.kind !== 'source'
  await dropDocument(context, row.id, isRecorded ? await snapshot.row() : null)
  await apply(plan)
  return { conflicts: plan.conflicts, nodes: plan.changes.filter(({ op }) => op === 'rem').length }
}

function toPut({ address, digest, text, attributes }: DocumentInput): DocumentPut {
  return { address, digest, text, ...given({ attributes }) }
}

/** What changes no node needs no snapshot, unless what a door keeps beside them is to be versioned. */
function isRecorded(plan: Plan, input: DocumentInput): boolean {
  return plan.changes.length > 0 || hasMore(input)
}

function hasMore({ text, attributes }: DocumentInput): boolean {
  return text !== null || attributes !== undefined
}

async function snapshotFor(
  context: PutContext,
  inputs: readonly DocumentInput[],
): Promise<SnapshotRow | null> {
  const isNeeded = inputs.some((input) => input.flat.length > 0 || hasMore(input))
  return isNeeded ? context.snapshot.row() : null
}

/** What stands for the file's path in first-time ids. */
export function idPath(address: Address): string {
  switch (address.kind) {
    case 'source':
      return address.path
    case 'note':
      return `mcp:write:${address.id}`
    case 'record':
      return `record:${address.id}`
    case 'key':
      return `key:${address.key}`
    case 'file':
      return `file:${JSON.stringify([address.node, address.scope, address.thread, address.path])}`
  }
}
