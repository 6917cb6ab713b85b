import type { Hash64 } from './digest.ts'
import { MemoryError, needs, shown } from './errors.ts'
import type { Plan } from './plan.ts'
import type { OutlineRow } from './port/outline.ts'
import type { DocumentNodeRow, ReadTx, SnapshotRow, Store } from './port/store.ts'
import { newPutContext, type PutContext } from './put.ts'
import type { Redact } from './redact.ts'

/** What every operation that changes memory needs. */
export interface OperationDeps {
  store: Store
  hash: Hash64
  now: () => number
  redact: Redact
  /** Who is acting: recorded on the snapshot. */
  author: string
}

/** Runs one mutating call: one transaction, at most one snapshot. */
export function mutate<T>(
  deps: OperationDeps,
  about: { operation: string; message: string },
  work: (context: PutContext) => Promise<T>,
): Promise<{ value: T; snapshot: SnapshotRow | null }> {
  const written = deps.store.write(
    async (tx) => {
      const { author, now } = deps
      const context = newPutContext(tx, deps, { ...about, author, root: '', now })
      const value = await work(context)
      await context.applier.send()
      return { value, finished: await context.snapshot.finish() }
    },
    { repeatable: true },
  )
  return written.then(async ({ value, finished }) => ({ value, snapshot: await finished.row }))
}

/** `argument`: what the caller knows the id as, where there are several. */
export async function getNode(tx: ReadTx, id: string, argument?: string): Promise<DocumentNodeRow> {
  needs(typeof id === 'string', `give ${argument ?? 'the id of a node'} as a text`)
  return (await tx.findNode(id)) ?? notFound(id, argument)
}

/** As `getNode`, with what an outline shows of it. */
export async function outlineNode(tx: ReadTx, id: string): Promise<OutlineRow> {
  needs(typeof id === 'string', 'give the id of a node as a text')
  return (await tx.outlineByIds([id]))[0] ?? notFound(id)
}

/** For an id that no live node has. */
export function notFound(id: string, argument?: string): never {
  const what = argument === undefined ? `node ${id} not found` : `${argument} not found: ${id}`
  throw new MemoryError('NOT_FOUND', `${what}; list the nodes with \`remindb tree\``)
}

/**
 * Refuses to build on what is no longer so. `seen` is the newest snapshot the caller knows of; missing: whatever there is
 * is meant.
 */
export async function checkUnchanged(tx: ReadTx, id: string, seen: number | undefined): Promise<void> {
  if (seen === undefined) return
  const isNumber = Number.isSafeInteger(seen) && seen >= 0
  needs(isNumber, `expected_version must be the number of a snapshot, got ${shown(seen)}`)
  const head = (await tx.head())?.id ?? 0
  if (seen > head) throw new MemoryError('INVALID_INPUT', `snapshot ${seen} is ahead of HEAD ${head}`)
  const [last] = await tx.nodeHistory(id, { limit: 1 })
  if (!last || last.snapshotId <= seen) return
  throw new MemoryError(
    'CONFLICT',
    `node ${id} changed in snapshot ${last.snapshotId}, after snapshot ${seen} that you expect; refetch the node and retry`,
  )
}

export async function textOf(tx: ReadTx, row: DocumentNodeRow): Promise<string> {
  return (await tx.texts([row.digest])).get(row.digest) ?? ''
}

export async function idOf(tx: ReadTx, key: number | null): Promise<string | null> {
  if (key === null) return null
  return (await tx.nodesByKey([key]))[0]?.id ?? null
}

/** Nodes changed by hand: the documents of other doors no longer are what was last put. */
export async function applyByHand(context: PutContext, plan: Plan, documentIds: number[]): Promise<void> {
  const { tx, snapshot, applier } = context
  await applier.apply(plan)
  if (plan.changes.length > 0) await tx.unsettleDocuments(documentIds, await snapshot.id())
}

/** Only files have a say of their own that an agent's edit can differ from. Asked once for a document. */
export async function isSource({ tx, kinds }: PutContext, documentId: number): Promise<boolean> {
  let kind = kinds.get(documentId)
  if (!kind) {
    kind = await tx.documentKind(documentId)
    if (kind) kinds.set(documentId, kind)
  }
  return kind === 'source'
}
