import type { Hash64 } from './digest.ts'
import { MemoryError, needs, shown } from './errors.ts'
import type { Plan } from './plan.ts'
import type { OutlineRow } from './port/outline.ts'
import type { Call, DocumentNodeRow, Operation, ReadTx, SnapshotRow, Store } from './port/store.ts'
import { newPutContext, type PutContext } from './put.ts'
import type { Redact } from './redact.ts'
import type { SnapshotAbout } from './snapshot.ts'

/** What every call that changes memory needs. */
export interface OperationDeps {
  store: Store
  hash: Hash64
  now: () => number
  redact: Redact
  /** Who is acting: recorded on the snapshot. */
  author: string
  /** Of the caller: what it gave up is not stored. */
  signal?: AbortSignal | undefined
}

/** An operation that makes at most one snapshot, with whose it is. */
export type SnapshotOperation<I, O> = Operation<Signed<I>, Recorded<O>>

export interface Signed<I> {
  about: SnapshotAbout
  input: I
}

export interface Recorded<O> {
  value: O
  /** Null when nothing changed. */
  snapshot: SnapshotRow | null
}

export function snapshotOperation<I, O>(
  name: string,
  work: (context: PutContext, input: I) => Promise<O>,
): SnapshotOperation<I, O> {
  return {
    name,
    async run(tx, { about, input }, tools) {
      const context = newPutContext(tx, tools, about)
      const value = await work(context, input)
      return { value, snapshot: await context.snapshot.finish() }
    },
  }
}

/** Runs one mutating call. `message` is recorded on its snapshot, without secrets. */
export function mutate<I, O>(
  deps: OperationDeps,
  operation: SnapshotOperation<I, O>,
  { input, ...recorded }: { operation: string; message: string; input: I },
  call: Call = {},
): Promise<Recorded<O>> {
  const about = aboutOf(deps, recorded)
  return deps.store.write(operation, { about, input }, { signal: deps.signal, ...call })
}

export function aboutOf(
  { author, redact, now }: Pick<OperationDeps, 'author' | 'redact' | 'now'>,
  { operation, message, root = '' }: { operation: string; message: string; root?: string },
): SnapshotAbout {
  return { author: redact(author), operation, message: redact(message), root, createdAt: now() }
}

/** Attempts of a change that is prepared from what was read: each fails because somebody else wrote meanwhile. */
const MAX_ATTEMPTS = 10

/** What was read is no longer what is stored: `prepared` begins again. */
export const STALE = 'stale'

/**
 * Runs a change that takes slow work on what is stored, parsing or redaction, outside of the transaction. The operation checks that
 * what was read is still so and otherwise answers `STALE`: then `attempt` reads and prepares again.
 */
export async function prepared<T>(attempt: () => Promise<T | typeof STALE>): Promise<T> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const done = await attempt()
    if (done !== STALE) return done
  }
  throw new MemoryError('CONFLICT', 'others keep changing this at the same time; nothing was stored. Retry')
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
  const { tx, snapshot, apply } = context
  await apply(plan)
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
