import type { WriteCaller } from '../access/principal.ts'
import type { Hash64 } from '../digest.ts'
import { isMemoryError, MemoryError, needs, shown } from '../errors.ts'
import type { DocumentNodeRow, Operation, ReadTx, SnapshotRow, Store } from '../port/store.ts'
import type { StoredDocument, StoredNodeFacts } from '../port/stored.ts'
import type { Redact } from '../redact.ts'
import { clearDigests } from '../rows/documents.ts'
import type { Plan } from '../rows/plan.ts'
import type { SnapshotAbout } from '../rows/snapshot.ts'
import { newPutContext, type PutContext } from './put.ts'

/** Dependencies of every call that changes a memory. */
export interface OperationDeps {
  store: Store
  hash: Hash64
  now: () => number
  redact: Redact
  /** The author, recorded in the snapshot. */
  author: string
  /** Who the server knows the author to be. Undefined: there are no accounts, or the operator writes. */
  caller?: WriteCaller | undefined
  /** The caller's signal: an aborted call is not stored. */
  signal?: AbortSignal | undefined
}

/** A signed operation that makes at most one snapshot. */
export type SnapshotOperation<I, O> = Operation<Signed<I>, Recorded<O>>

export interface Signed<I> {
  about: SnapshotAbout
  /** See `OperationDeps`. */
  caller?: WriteCaller | undefined
  input: I
}

export interface Recorded<O> {
  value: O
  /** Null if nothing changed. */
  snapshot: SnapshotRow | null
}

export function snapshotOperation<I, O>(
  name: string,
  work: (context: PutContext, input: I) => Promise<O>,
): SnapshotOperation<I, O> {
  return {
    name,
    async run(tx, { about, caller, input }, tools) {
      // What the operator stores counts for nobody.
      const context = newPutContext(tx, { ...tools, userId: caller?.userId || null }, about)
      const value = await work(context, input)
      return { value, snapshot: await context.snapshot.finish() }
    },
  }
}

/** Runs one mutating call. `message` is recorded in its snapshot, without secrets. */
export function mutate<I, O>(
  deps: OperationDeps,
  operation: SnapshotOperation<I, O>,
  { input, ...recorded }: { operation: string; message: string; input: I },
): Promise<Recorded<O>> {
  const { caller, signal } = deps
  const signed = { about: aboutOf(deps, recorded), input, ...(caller && { caller }) }
  return deps.store.write(operation, signed, { signal })
}

export function aboutOf(
  { author, redact }: Pick<OperationDeps, 'author' | 'redact'>,
  { operation, message, root = '' }: { operation: string; message: string; root?: string },
): SnapshotAbout {
  return { author: redact(author), operation, message: redact(message), root }
}

const STALE = 'stale'

/** Thrown by an operation whose prepared input is out of date: `prepared` retries. */
export function stale(): MemoryError {
  const message = 'too many concurrent changes; nothing was stored. Retry'
  return new MemoryError('CONFLICT', message, { detail: STALE })
}

/** Attempts of a change while other processes write; changes of this process are serialised. */
const MAX_ATTEMPTS = 100

/**
 * Runs a change with slow work, such as parsing or redaction, outside of the transaction. The operation checks that
 * what was read is unchanged and otherwise throws `stale`: then `attempt` reads and prepares again, one caller at a
 * time.
 */
export async function prepared<T>(
  { store }: Pick<OperationDeps, 'store'>,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (!isStale(error)) throw error
  }
  return inTurn(store, async () => {
    for (let tries = 2; ; tries++) {
      try {
        return await attempt()
      } catch (error) {
        if (!isStale(error) || tries === MAX_ATTEMPTS) throw error
      }
    }
  })
}

function isStale(error: unknown): boolean {
  return isMemoryError(error) && error.detail === STALE
}

/** `argument`: the caller's name for the id, if there are several. */
export async function getNode(tx: ReadTx, id: string, argument?: string): Promise<DocumentNodeRow> {
  checkNodeId(id, argument)
  return (await findNode(tx, id)) ?? notFound(id, argument)
}

/** A live node. */
export async function findNode(tx: ReadTx, id: string): Promise<DocumentNodeRow | undefined> {
  return (await tx.nodes({ ids: [id] }, 'full'))[0]
}

/** For callers without types. */
export function checkNodeId(id: string, argument?: string): void {
  needs(typeof id === 'string', `${argument ?? 'the node id'} must be a string`)
}

/** The position of the next live sibling after `row`; null if there is none. */
export async function nextPosition(
  tx: ReadTx,
  row: Pick<DocumentNodeRow, 'parentKey' | 'documentId' | 'position'>,
): Promise<string | null> {
  const { parentKey, documentId, position } = row
  const siblings = parentKey === null ? { parentKey, documentId } : { parentKey }
  // Two siblings may have the same position: neither comes after the other.
  const after = { documentId, position, key: Number.MAX_SAFE_INTEGER }
  const [next] = await tx.outline([{ ...siblings, after }], { fields: 'full', limit: 1 })
  return next?.position ?? null
}

/** For an id without a live node. */
export function notFound(id: string, argument?: string): never {
  if (argument !== undefined)
    throw new MemoryError('NOT_FOUND', `${argument} not found: ${id}`, { hint: { find: 'node' } })
  throw new MemoryError('NOT_FOUND', `node ${id} not found`, { hint: { find: 'node', id } })
}

/**
 * Rejects a change of a node that has changed since `seen`, the newest snapshot that the caller knows; undefined: no
 * check.
 */
export async function checkUnchanged(tx: ReadTx, id: string, seen: number | undefined): Promise<void> {
  if (seen === undefined) return
  checkVersion(seen)
  const [state, [last]] = await Promise.all([tx.state(), tx.versions({ nodeId: id }, { limit: 1 })])
  const head = state.head?.id ?? 0
  if (seen > head) throw new MemoryError('INVALID_INPUT', `snapshot ${seen} is ahead of HEAD ${head}`)
  if (!last || last.snapshotId <= seen) return
  throw new MemoryError(
    'CONFLICT',
    `node ${id} changed in snapshot ${last.snapshotId}, after snapshot ${seen} that you expect; refetch the node and retry`,
  )
}

export function checkVersion(seen: number | undefined): void {
  const isNumber = seen === undefined || (Number.isSafeInteger(seen) && seen >= 0)
  needs(isNumber, `expected_version must be the number of a snapshot, got ${shown(seen)}`)
}

export async function idOf(tx: ReadTx, key: number | null): Promise<string | null> {
  if (key === null) return null
  return (await tx.nodes({ keys: [key], removed: true }, 'id'))[0]?.id ?? null
}

/** A live node, with its document. */
export interface NodeToEdit {
  node: StoredNodeFacts
  document: StoredDocument
}

/** Everything that an edit of a node depends on, in one read. `seen`: see `checkUnchanged`. */
export async function nodeToEdit({ tx, base }: PutContext, id: string, seen?: number): Promise<NodeToEdit> {
  const [[node], [document]] = await Promise.all([
    tx.nodes({ ids: [id] }, 'stored'),
    tx.documents({ ofNode: id }, 'stored'),
    base(),
    checkUnchanged(tx, id, seen),
  ])
  return node && document ? { node, document } : notFound(id)
}

/**
 * Applies edits by hand: documents of other doors no longer match the last text put. `known`: stored nodes that were
 * already read.
 */
export async function applyByHand(
  context: PutContext,
  plan: Plan,
  documents: readonly StoredDocument[],
  known?: Iterable<StoredNodeFacts>,
): Promise<void> {
  const { snapshot, apply } = context
  const growth = new Map<number, number>()
  await apply(plan, known, growth)
  if (plan.changes.length > 0) await clearDigests(context, documents, await snapshot.row(), growth)
}

/** Whether a document is a file, whose text an agent's edit can differ from. Read once per document. */
export async function isSource({ tx, kinds }: PutContext, documentId: number): Promise<boolean> {
  let kind = kinds.get(documentId)
  if (!kind) {
    kind = (await tx.documents({ ids: [documentId] }, 'row'))[0]?.address.kind
    if (kind) kinds.set(documentId, kind)
  }
  return kind === 'source'
}

const lasts = new WeakMap<object, Promise<unknown>>()

/** Runs work sequentially for each owner, in order of arrival; a failure does not affect the next. */
function inTurn<T>(owner: object, work: () => Promise<T>): Promise<T> {
  const turn = (lasts.get(owner) ?? Promise.resolve()).then(work)
  lasts.set(
    owner,
    turn.catch(() => undefined),
  )
  return turn
}
