import type { HeldText, RemovedNode } from '../port/forget.ts'
import type { WriteTx } from '../port/store.ts'
import type { TextReferences } from '../port/write-set.ts'
import { type ChangeContext, changeNodes } from './change-nodes.ts'
import { withoutContent } from './node-writes.ts'

/** What it takes to take history out, in a transaction with a snapshot. */
export interface ForgetContext extends ChangeContext {
  tx: Pick<WriteTx, 'storedNodes' | 'heldTexts' | 'removedAfter' | 'scan' | 'snapshots' | 'commit'>
}

/** Nodes changed at once. */
const CHUNK = 1000

/**
 * Removes all nodes of a document, and the history of it and them, with all text that only they held. The document's own row
 * is somebody else's business. Texts go last: what the search index holds of a node is made of its text.
 */
export async function eraseHistory(context: ForgetContext, documentId: number): Promise<void> {
  const { tx } = context
  const [members, held] = await Promise.all([
    tx.scan('members', { of: [documentId], limit: Number.MAX_SAFE_INTEGER }),
    tx.heldTexts({ document: documentId }),
  ])
  const nodes = members.map(({ key }) => key)
  await tx.commit({ erase: { document: documentId, nodes } })
  for (let at = 0; at < nodes.length; at += CHUNK) await emptyNodes(context, nodes.slice(at, at + CHUNK))
  await tx.commit({ texts: held.map(released) })
}

/** Also those that were removed before: as far as anybody can tell they went with the others. */
async function emptyNodes(context: ForgetContext, keys: readonly number[]): Promise<void> {
  const { tx, snapshot } = context
  const snapshotId = await snapshot.id()
  const stored = await tx.storedNodes({ keys })
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

/** Rows read at once. */
const PAGE = 5000

/** Forgets the snapshots after `target`, but for the one of this transaction, with all text that only they held. Returns how many. */
export async function dropHistory(context: ForgetContext, target: number): Promise<number> {
  const { tx, snapshot } = context
  const before = await snapshot.id()
  const count = await countSnapshots(tx, { after: target, before })
  const held = await tx.heldTexts({ after: target })
  const nodes: number[] = []
  for (let after = 0, isMore = true; isMore; ) {
    const page = await tx.removedAfter(target, { after, limit: PAGE })
    for (const node of page.filter(isUnknown)) nodes.push(node.key)
    await dateBack(
      context,
      page.filter((node) => !isUnknown(node)),
    )
    after = page.at(-1)?.key ?? after
    isMore = page.length === PAGE
  }
  await tx.commit({ drop: { after: target, before, nodes }, texts: held.map(released) })
  return count
}

/**
 * Nothing that is left ever saw the id of such a node. (Erased ones have no versions, but older versions of others may still name
 * them as parents.)
 */
export function isUnknown({ knownIn, hasOverlay, isErased }: RemovedNode): boolean {
  return knownIn === null && !hasOverlay && !isErased
}

/** Nodes that were gone at the target already, came back and went again: the removal that counts is the first one. */
async function dateBack({ tx, snapshot }: ForgetContext, removed: readonly RemovedNode[]): Promise<void> {
  if (removed.length === 0) return
  const snapshotId = await snapshot.id()
  const known = new Map(removed.map(({ key, knownIn }) => [key, knownIn]))
  const stored = await tx.storedNodes({ keys: [...known.keys()] })
  const nodes = stored.map((before) => ({
    before,
    after: { ...before, removedIn: known.get(before.key) ?? snapshotId },
  }))
  await tx.commit({ nodes })
}

function released({ digest, count }: HeldText): TextReferences {
  return { digest, text: null, by: -count }
}

/** How many there are between two snapshots, neither of them included. */
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
