import type { SnapshotRange } from '../port/history.ts'
import type { DocumentNodeRow, WriteTx } from '../port/store.ts'
import type { TextReferences } from '../port/write-set.ts'
import { type ChangeContext, changeNodes } from './change-nodes.ts'
import { withoutContent } from './node-writes.ts'
import { nodePages } from './stored-pages.ts'

/** Dependencies of deleting history, in a transaction with a snapshot. */
export interface ForgetContext extends ChangeContext {
  tx: Pick<WriteTx, 'nodes' | 'documents' | 'statesAt' | 'changedDocuments' | 'scan' | 'snapshots' | 'commit'>
}

/** Nodes changed in one batch. */
const CHUNK = 1000
const ALL = Number.MAX_SAFE_INTEGER

/**
 * Removes all nodes of a document, and its history and theirs, with all text that only they held. The caller handles
 * the document row. Texts are removed last: the index words of a node are computed from its text.
 */
export async function eraseHistory(context: ForgetContext, documentId: number): Promise<void> {
  const { tx } = context
  const nodes = await nodeKeys(tx, documentId)
  const texts = await releasedTexts(tx, { nodes, documents: [documentId], after: 0 })
  await tx.commit({ erase: { document: documentId, nodes } })
  for (const keys of chunksOf(nodes)) await emptyNodes(context, keys)
  await tx.commit({ texts })
}

async function nodeKeys(tx: ForgetContext['tx'], documentId: number): Promise<number[]> {
  const keys: number[] = []
  for await (const page of nodePages(tx, documentId)) for (const { key } of page) keys.push(key)
  return keys
}

/** Includes nodes that were removed before: they appear to be removed with the others. */
async function emptyNodes(context: ForgetContext, keys: readonly number[]): Promise<void> {
  const { tx, snapshot } = context
  const snapshotId = await snapshot.id()
  const stored = await tx.nodes({ keys, removed: true }, 'stored')
  const live = stored.filter(({ removedIn }) => removedIn === null)
  const nodes = stored
    .filter(({ removedIn }) => removedIn !== null)
    .map((before) => ({ before, after: withoutContent(before, snapshotId) }))
  await tx.commit({ nodes, overlays: { put: [], remove: keys } })
  await changeNodes(
    context,
    live.map(({ key }) => ({ op: 'rem', key })),
  )
}

/** Rows per read. */
const PAGE = 5000

/**
 * Deletes the snapshots after `target`, except that of this transaction, with all text that only they held. Returns how
 * many.
 */
export async function dropHistory(context: ForgetContext, target: number): Promise<number> {
  const { tx, snapshot } = context
  const before = await snapshot.id()
  const count = await countSnapshots(tx, { after: target, before })
  const changed = await changedSince(tx, { since: target, until: before })
  const texts = await releasedTexts(tx, { ...changed, after: target })
  const nodes: number[] = []
  for (let after = 0, isMore = true; isMore; ) {
    const page = await removedSince(tx, target, after)
    for (const { node } of page.filter(isUnknown)) nodes.push(node.key)
    await dateBack(
      context,
      page.filter((one) => !isUnknown(one)),
    )
    after = page.at(-1)?.node.key ?? after
    isMore = page.length === PAGE
  }
  await tx.commit({ drop: { after: target, before, nodes }, texts })
  return count
}

/** A node that was removed after the target. */
interface RemovedNode {
  node: DocumentNodeRow
  /** The last snapshot, up to the target, with a version of it; undefined: none. */
  knownIn: number | undefined
  /** Its document is erased. */
  isErased: boolean
}

/** One page of them, by key. */
async function removedSince(tx: ForgetContext['tx'], target: number, after: number): Promise<RemovedNode[]> {
  const nodes = await tx.nodes({ removedAfter: target, after, limit: PAGE }, 'full')
  const keys = nodes.map(({ key }) => key)
  const ids = [...new Set(nodes.map(({ documentId }) => documentId))]
  const [past, documents] = await Promise.all([tx.statesAt(keys, target), tx.documents({ ids }, 'row')])
  const known = new Map(past.map(({ key, snapshotId }) => [key, snapshotId]))
  const erased = new Set(documents.filter(({ state }) => state === 'erased').map(({ id }) => id))
  return nodes.map((node) => {
    const { key, documentId } = node
    return { node, knownIn: known.get(key), isErased: erased.has(documentId) }
  })
}

/**
 * Whether nothing that remains refers to the id of the node. (Erased nodes have no versions, but older versions of
 * others may still name them as parents.)
 */
function isUnknown({ node, knownIn, isErased }: RemovedNode): boolean {
  return knownIn === undefined && !node.overlay && !isErased
}

/** For nodes that were removed at the target, restored and removed again: the first removal counts. */
async function dateBack({ tx, snapshot }: ForgetContext, removed: readonly RemovedNode[]): Promise<void> {
  if (removed.length === 0) return
  const snapshotId = await snapshot.id()
  const nodes = removed.map(({ node: { overlay: _, ...before }, knownIn = snapshotId }) => {
    return { before, after: { ...before, removedIn: knownIn } }
  })
  await tx.commit({ nodes })
}

/** The keys of nodes and the ids of documents that changed in a range. */
async function changedSince(
  tx: ForgetContext['tx'],
  range: SnapshotRange,
): Promise<{ nodes: number[]; documents: number[] }> {
  const nodes: number[] = []
  for (let after = 0, isMore = true; isMore; ) {
    const page = await tx.nodes({ changedIn: range, after, limit: PAGE }, 'id')
    for (const { key } of page) nodes.push(key)
    after = nodes.at(-1) ?? after
    isMore = page.length === PAGE
  }
  const documents = await tx.changedDocuments(range.since)
  return { nodes, documents: documents.map(({ documentId }) => documentId) }
}

/** The text references of versions later than a snapshot, to be released. */
async function releasedTexts(
  tx: ForgetContext['tx'],
  { nodes, documents, after }: { nodes: readonly number[]; documents: readonly number[]; after: number },
): Promise<TextReferences[]> {
  const counts = new Map<number, number>()
  const count = (versions: readonly { snapshotId: number; textKey: number | null }[]): void => {
    for (const { snapshotId, textKey } of versions)
      if (snapshotId > after && textKey !== null) counts.set(textKey, (counts.get(textKey) ?? 0) + 1)
  }
  for (const nodeKey of chunksOf(nodes)) count(await tx.scan('versions', { of: { nodeKey }, limit: ALL }))
  for (const documentId of chunksOf(documents))
    count(await tx.scan('documentVersions', { of: { documentId }, limit: ALL }))
  const references: TextReferences[] = []
  for (const keys of chunksOf([...counts.keys()]))
    for (const { key, digest } of await tx.scan('texts', { of: { key: keys }, limit: ALL }))
      references.push({ digest, text: null, by: -(counts.get(key) ?? 0) })
  return references
}

function* chunksOf(numbers: readonly number[]): Generator<readonly number[]> {
  for (let at = 0; at < numbers.length; at += CHUNK) yield numbers.slice(at, at + CHUNK)
}

/** How many there are between two snapshots, exclusive. */
export async function countSnapshots(
  tx: Pick<WriteTx, 'snapshots'>,
  { after, before = Number.MAX_SAFE_INTEGER }: { after: number; before?: number },
): Promise<number> {
  let count = 0
  for (let last = before; ; ) {
    const page = await tx.snapshots({ limit: PAGE, after, before: last })
    count += page.length
    if (page.length < PAGE) return count
    last = page.at(-1)?.id ?? after
  }
}
