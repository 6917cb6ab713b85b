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
import { createIdBook, type IdBook, publishedIds } from './assign-ids.ts'
import type { Attachment } from './document-to-plan.ts'
import { planDocuments } from './plan-document.ts'
import { type NodeCounts, removalGroups } from './removal-groups.ts'

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
  /** Carries a plan out. `known`: nodes that were read already, as they are stored. */
  apply(plan: Plan, known?: Iterable<StoredNodeFacts>): Promise<void>
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
  async function apply(plan: Plan, known: Iterable<StoredNodeFacts> = []): Promise<void> {
    const { changes, overlays: put, settledOverlays: remove } = plan
    onPlan?.(plan)
    for (const { op } of changes) counts[COUNTER[op]]++
    const overlays = put.length + remove.length > 0 ? { put, remove } : undefined
    if (changes.length > 0)
      await changeNodes({ tx, base, snapshot }, changes, { known, more: given({ overlays }) })
    else if (overlays) await tx.commit({ overlays })
  }
}

async function checkedState(tx: WriteTx): Promise<SpaceState> {
  const state = await tx.state()
  checkNext(state.nextSnapshotId, state.nextDocumentId, state.nextNodeKey)
  return state
}

const COUNTER = { add: 'added', mod: 'modified', rem: 'removed' } as const

/** Of more blocks, asking for what may turn out not to be needed costs more than the wait that it saves. */
const MAX_EARLY_BLOCKS = 8

/** What is stored that a put builds on: asked in one go, before anything is decided. */
export interface PutFacts {
  contents: DocumentContents
  ids: IdBook
}

/** `select`: those of the documents that may be here already. Default: all. */
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

/** What became of a document that was put. */
export interface PutResult {
  document: StoredDocument
  /** Where the text won over an agent. */
  conflicts: Conflict[]
}

/** Stores what documents say. Nodes that go on keep their identity. */
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

/** The same for one, with what is asked for it. */
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

/** Documents are gone: so is what they said. Tells how many nodes went with each. Without `counts` those are asked for. */
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

function toPut({ address, digest, text, attributes }: DocumentInput): DocumentPut {
  return { address, digest, text, ...given({ attributes }) }
}

/** What changes no node needs no snapshot, unless what a door keeps beside them is to be versioned. */
function hasMore({ text, attributes }: DocumentInput): boolean {
  return text !== null || attributes !== undefined
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
