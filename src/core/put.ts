import { given } from '../util/given.ts'
import { later } from '../util/later.ts'
import { type Applier, createApplier } from './apply.ts'
import type { Hash64 } from './digest.ts'
import type { Attachment } from './document-to-plan.ts'
import type { FlatBlock } from './flatten.ts'
import type { Address, DocumentKind } from './model.ts'
import { type Conflict, createPlan, type Plan } from './plan.ts'
import { nameNewDocuments, planDocument, planNewDocuments } from './plan-document.ts'
import type { DocumentPut, DocumentRow, WriteTx } from './port/store.ts'
import type { Redact } from './redact.ts'
import { type LazySnapshot, lazySnapshot, type SnapshotInput } from './snapshot.ts'

/** A document to store: the only way anything gets in. */
export interface DocumentInput extends DocumentPut {
  flat: FlatBlock[]
  firstRootId?: string
  attachments?: (Attachment | undefined)[]
}

/** What the puts of one transaction share. */
export interface PutContext {
  tx: WriteTx
  hash: Hash64
  redact: Redact
  snapshot: LazySnapshot
  applier: Applier
  /** Kinds of the documents met so far. */
  kinds: Map<number, DocumentKind>
}

/** What a transaction with one snapshot starts with. */
export function newPutContext(
  tx: WriteTx,
  { hash, redact }: Pick<PutContext, 'hash' | 'redact'>,
  about: SnapshotInput,
  onPlan?: (plan: Plan) => void,
): PutContext {
  const snapshot = lazySnapshot(tx, redact, about)
  return { tx, hash, redact, snapshot, applier: createApplier(tx, snapshot, onPlan), kinds: new Map() }
}

/** Stores documents that were never here before. */
export async function putNewDocuments(context: PutContext, inputs: readonly DocumentInput[]): Promise<void> {
  if (inputs.length === 0) return
  const { tx, hash, applier } = context
  const named = inputs.map((input) => ({ ...input, idPath: idPath(input.address) }))
  // Questions first, then what changes something: answers that nobody has to wait for come before.
  const snapshotId = snapshotFor(context, inputs)
  const naming = later(nameNewDocuments(tx, hash, named))
  const rows = await tx.putDocuments(inputs.map(toPut), await snapshotId)
  const plan = createPlan()
  const toPlan = named.map((input, at) => ({ ...input, documentId: (rows[at] as DocumentRow).id }))
  planNewDocuments(hash, plan, toPlan, await naming)
  await applier.apply(plan)
}

/** Replaces what a document says. Nodes that go on keep their identity; returns where the text won over an agent. */
export async function putDocument(
  context: PutContext,
  row: DocumentRow,
  input: DocumentInput,
): Promise<Conflict[]> {
  const { tx, hash, snapshot, applier } = context
  const plan = createPlan()
  await planDocument(tx, hash, plan, { ...input, documentId: row.id, idPath: idPath(input.address) })
  const snapshotId = isRecorded(plan, input) ? await snapshot.id() : null
  // What it gives is known: nobody waits. If it fails, so does the transaction.
  void tx.putDocuments([toPut(input)], snapshotId)
  await applier.apply(plan)
  return plan.conflicts
}

/** A document is gone: so is what it said. Tells how many nodes went. */
export async function removeDocument(
  context: PutContext,
  row: DocumentRow,
): Promise<{ conflicts: Conflict[]; nodes: number }> {
  const { tx, hash, snapshot, applier } = context
  const plan = createPlan()
  await planDocument(tx, hash, plan, { documentId: row.id, idPath: '', flat: [] })
  const isRecorded = plan.changes.length > 0 || row.address.kind !== 'source'
  await tx.setDocumentState(row.id, 'removed', isRecorded ? await snapshot.id() : null)
  await applier.apply(plan)
  return { conflicts: plan.conflicts, nodes: plan.changes.filter(({ op }) => op === 'rem').length }
}

function toPut({ address, digest, text, attributes, at }: DocumentInput): DocumentPut {
  return { address, digest, text, ...given({ attributes, at }) }
}

/** What changes no node needs no snapshot, unless what a door keeps beside them is to be versioned. */
function isRecorded(plan: Plan, input: DocumentInput): boolean {
  return plan.changes.length > 0 || hasMore(input)
}

function hasMore({ text, attributes }: DocumentInput): boolean {
  return text !== null || attributes !== undefined
}

async function snapshotFor(context: PutContext, inputs: readonly DocumentInput[]): Promise<number | null> {
  const isNeeded = inputs.some((input) => input.flat.length > 0 || hasMore(input))
  return isNeeded ? context.snapshot.id() : null
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
