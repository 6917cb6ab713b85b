import { given } from '../../util/given.ts'
import type { Hash64 } from '../digest.ts'
import { foreseeLinks } from '../links/foresee.ts'
import type { Address, DocumentKind } from '../model.ts'
import type { DocumentContents } from '../port/contents.ts'
import type { DocumentPick } from '../port/documents.ts'
import type { SpaceState } from '../port/history.ts'
import type { DocumentRow, OperationTools, WriteTx } from '../port/store.ts'
import type { StoredDocument, StoredNodeFacts } from '../port/stored.ts'
import { changeNodes } from '../rows/change-nodes.ts'
import {
  changedDocuments,
  commitDocuments,
  type DocumentChange,
  type DocumentContext,
  type DocumentPut,
  dropDocuments,
} from '../rows/documents.ts'
import type { FlatBlock } from '../rows/flatten.ts'
import { checkNext } from '../rows/next-numbers.ts'
import { type Conflict, mergePlans, type Plan } from '../rows/plan.ts'
import { type LazySnapshot, lazySnapshot, type SnapshotAbout } from '../rows/snapshot.ts'
import { utf8Length } from '../tokens.ts'
import { createIdBook, type IdBook, publishedIds } from './assign-ids.ts'
import type { Attachment } from './document-to-plan.ts'
import { planDocuments } from './plan-document.ts'
import { type NodeCounts, removalGroups } from './removal-groups.ts'

/** A document to store: the only way to store content. */
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

/** Shared by the puts of one transaction. */
export interface PutContext extends DocumentContext {
  tx: WriteTx
  hash: Hash64
  /** The author of the change. */
  author: string
  snapshot: LazySnapshot
  /** Returns the first of `count` unused node keys. */
  newKeys(count: number): Promise<number>
  /** Applies a plan: see `ChangeOptions`. */
  apply(plan: Plan, known?: Iterable<StoredNodeFacts>, growth?: Map<number, number>): Promise<void>
  /** What `apply` did so far. */
  counts: Counts
  /** Kinds of the documents read so far. */
  kinds: Map<number, DocumentKind>
}

interface PutTools extends Pick<OperationTools, 'hash' | 'now'> {
  /** Who creates documents. Default: nobody that the server knows. */
  userId?: string | null
}

/** The context of a transaction with one snapshot. */
export function newPutContext(
  tx: WriteTx,
  { hash, now: at, userId = null }: PutTools,
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
    ...{ tx, hash, author: about.author, at, userId, base, snapshot, newKeys, counts, apply },
    ...{ kinds: new Map(), newDocuments: { count: 0 }, versioned: new Map() },
  }

  async function newKeys(count: number): Promise<number> {
    const first = (await base()).nextNodeKey + taken
    taken += count
    return first
  }
  async function apply(
    plan: Plan,
    known: Iterable<StoredNodeFacts> = [],
    growth?: Map<number, number>,
  ): Promise<void> {
    const { changes, overlays: put, removedOverlays: remove } = plan
    onPlan?.(plan)
    for (const { op } of changes) counts[COUNTER[op]]++
    const overlays = put.length + remove.length > 0 ? { put, remove } : undefined
    if (changes.length > 0)
      await changeNodes({ tx, base, snapshot }, changes, { known, more: given({ overlays }), growth })
    else if (overlays) await tx.commit({ overlays })
  }
}

async function checkedState(tx: WriteTx): Promise<SpaceState> {
  const state = await tx.state()
  checkNext(state.nextSnapshotId, state.nextDocumentId, state.nextNodeKey)
  return state
}

const COUNTER = { add: 'added', mod: 'modified', rem: 'removed' } as const

/** For more blocks, reading facts that may not be needed costs more than the round trip it saves. */
const MAX_EARLY_BLOCKS = 8

/** The stored facts that a put depends on: read in one call, before anything is decided. */
export interface PutFacts {
  contents: DocumentContents
  ids: IdBook
}

/** `select`: documents that may exist. Default: all. */
export async function factsFor(
  { tx, hash, base }: PutContext,
  inputs: readonly DocumentInput[],
  select: DocumentPick = { at: inputs.map(({ address }) => address) },
): Promise<PutFacts> {
  const blocks = inputs.flatMap(({ flat }) => flat)
  const ids = createIdBook(tx)
  const isAny = 'at' in select ? select.at.length > 0 : select.ids.length > 0
  const early = blocks.length <= MAX_EARLY_BLOCKS ? publishedIds(hash, inputs.map(withPath)) : []
  const [contents] = await Promise.all([
    isAny ? tx.contents(select, [...new Set(blocks.map(({ digest }) => digest))]) : NO_CONTENTS,
    base(),
    ids.ask(early),
    early.length > 0 ? foreseeLinks(tx, blocks, early) : undefined,
  ])
  return { contents, ids }
}

const NO_CONTENTS: DocumentContents = {
  ...{ documents: [], nodes: [], guests: [], removed: [], links: [], names: [] },
}

/** The result of putting a document. */
export interface PutResult {
  document: StoredDocument
  /** Conflicts that the text won over an agent. */
  conflicts: Conflict[]
}

/** Stores documents. Nodes that continue keep their identity. */
export async function putDocuments(
  context: PutContext,
  inputs: readonly DocumentInput[],
  { contents, ids }: PutFacts,
): Promise<PutResult[]> {
  if (inputs.length === 0) return []
  const changes = await changedDocuments(context, inputs.map(toPut), contents.documents)
  const toPlan = inputs.map((input, at) => ({
    ...withPath(input),
    documentId: changes[at]?.after.id as number,
  }))
  const plans = await planDocuments({ ...context, ids }, toPlan, contents)
  const isRecorded = plans.some(
    ({ changes }, at) => changes.length > 0 || hasMore(inputs[at] as DocumentInput),
  )
  await commitDocuments(context, changes, isRecorded ? await context.snapshot.row() : null)
  await context.apply(mergePlans(plans), knownNodes(contents))
  return plans.map(({ conflicts }, at) => ({ document: (changes[at] as DocumentChange).after, conflicts }))
}

/** The same for one document, reading its facts. */
export async function putDocument(
  context: PutContext,
  input: DocumentInput,
  facts?: PutFacts,
): Promise<PutResult> {
  const [result] = await putDocuments(context, [input], facts ?? (await factsFor(context, [input])))
  return result as PutResult
}

function* knownNodes({ nodes, guests }: DocumentContents): Iterable<StoredNodeFacts> {
  yield* nodes
  yield* guests
}

function withPath(input: DocumentInput): DocumentInput & { idPath: string } {
  return { ...input, idPath: idPath(input.address) }
}

/** Removes documents with their nodes. Returns how many nodes were removed with each. Reads `counts` if not given. */
export async function removeDocuments(
  context: PutContext,
  rows: readonly Pick<DocumentRow, 'id' | 'address'>[],
  counts?: NodeCounts,
): Promise<{ conflicts: Conflict[]; nodes: number }[]> {
  const removed: { conflicts: Conflict[]; nodes: number }[] = []
  const ids = rows.map(({ id }) => id)
  const known = counts ?? (rows.length > 1 ? await context.tx.documents({ ids }, 'size') : [])
  for (const group of removalGroups(rows, known))
    for (const { conflicts, changes } of await removeTogether(context, group))
      removed.push({ conflicts, nodes: changes.filter(({ op }) => op === 'rem').length })
  return removed
}

async function removeTogether(
  context: PutContext,
  rows: readonly Pick<DocumentRow, 'id' | 'address'>[],
): Promise<Plan[]> {
  const { tx, base, snapshot, apply } = context
  const [contents] = await Promise.all([tx.contents({ ids: rows.map(({ id }) => id) }, []), base()])
  const toPlan = rows.map(({ id }) => ({ documentId: id, idPath: '', flat: [] }))
  const plans = await planDocuments({ ...context, ids: createIdBook(tx) }, toPlan, contents)
  const isRecorded = plans.some(({ changes }) => changes.length > 0) || rows.some(isVersioned)
  await dropDocuments(context, contents.documents, isRecorded ? await snapshot.row() : null)
  await apply(mergePlans(plans), knownNodes(contents))
  return plans
}

function isVersioned({ address }: Pick<DocumentRow, 'address'>): boolean {
  return address.kind !== 'source'
}

function toPut({ address, digest, text, attributes, flat }: DocumentInput): DocumentPut {
  const noteBytes =
    address.kind === 'note' ? flat.reduce((sum, block) => sum + utf8Length(block.text), 0) : undefined
  return { address, digest, text, ...given({ attributes, noteBytes }) }
}

/** A put that changes no node needs no snapshot, unless it changes what a door versions. */
function hasMore({ text, attributes }: DocumentInput): boolean {
  return text !== null || attributes !== undefined
}

/** The path in first-time ids, for an address. */
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
