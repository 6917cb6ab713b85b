import { checkAddress, shownName } from '../address.ts'
import { MemoryError } from '../errors.ts'
import { startOf } from '../find/read/tree-start.ts'
import { type Step, walk } from '../find/read/walk.ts'
import type { Address, NodeType } from '../model.ts'
import { findSnapshot } from '../past/moment.ts'
import type { StateRow } from '../port/history.ts'
import type { ReadTx, SnapshotRow, Store } from '../port/store.ts'
import { documentAt } from '../write/documents.ts'
import { checkLimit, type Paged } from './history.ts'

/** A block of a document, and the snapshot that last changed what it says. */
export interface BlamedNode {
  id: string
  type: NodeType
  label: string
  /** Below the roots of its document. */
  depth: number
  /** Undefined: its history is not known, as in a memory that was repaired. */
  snapshot: SnapshotRow | undefined
}

export interface BlameInput {
  document: Address
  /** Default: 200. */
  limit?: number
  /** `next` of the previous page. */
  after?: string
}

const PAGE = 200

/** The blocks of a document, in their order. One that was moved, or moved back by a rollback, keeps the author of its text. */
export function blame(store: Pick<Store, 'read'>, input: BlameInput): Promise<Paged<BlamedNode>> {
  const { document, limit = PAGE } = input ?? {}
  checkAddress(document)
  checkLimit(limit)
  return store.read((tx) => blameIn(tx, { ...input, limit }))
}

/** As of the snapshot that `tx` reads. */
async function blameIn(
  tx: ReadTx,
  { document: address, limit, after }: BlameInput & { limit: number },
): Promise<Paged<BlamedNode>> {
  const document = await documentAt(tx, address, 'row')
  if (document?.state !== 'live') throw gone(address)
  const steps: Step[] = []
  for await (const step of stepsOf(tx, document.id, { after, expected: limit + 1 })) {
    if (step.documentId === document.id) steps.push(step)
    if (steps.length > limit) break
  }
  const page = steps.slice(0, limit)
  const snapshots = await lastEdits(tx, page)
  const items = page.map(({ key, id, type, label, distance }) => {
    return { id, type, label, depth: distance, snapshot: snapshots.get(key) }
  })
  return { items, next: steps.length > limit ? (page.at(-1)?.id ?? null) : null }
}

function gone(address: Address): MemoryError {
  return new MemoryError(
    'NOT_FOUND',
    `document "${shownName(address)}" is not in the memory; \`remindb log --path\` shows what happened to it`,
  )
}

/** With the nodes that other documents have below it. */
async function* stepsOf(
  tx: ReadTx,
  documentId: number,
  { after, expected }: { after: string | undefined; expected: number },
): AsyncGenerator<Step> {
  const input = { depth: Number.POSITIVE_INFINITY, expected }
  const { steps } =
    after === undefined
      ? walk(tx, { ...input, from: [{ parentKey: null, documentId }] })
      : await startOf(tx, { ...input, root: undefined, after })
  for await (const step of steps) {
    if (step.parentKey === null && step.documentId !== documentId) return
    yield step
  }
}

/** By node. Reads the states before each snapshot in question, until they say something else. */
async function lastEdits(
  tx: ReadTx,
  nodes: readonly { key: number }[],
): Promise<Map<number, SnapshotRow | undefined>> {
  const edits = new Map<number, number>()
  const head = (await tx.state()).head?.id ?? 0
  const keys = nodes.map(({ key }) => key)
  for (let rows = await tx.statesAt(keys, head); rows.length > 0; ) {
    const earlier: StateRow[] = []
    for (const [snapshotId, now] of Map.groupBy(rows, (row) => row.snapshotId)) {
      const before = await statesBefore(tx, now, snapshotId)
      for (const row of now) {
        const past = before.get(row.key)
        if (past && saysTheSame(past, row)) earlier.push(past)
        else edits.set(row.key, snapshotId)
      }
    }
    rows = earlier
  }
  const snapshots = new Map<number, SnapshotRow | undefined>()
  for (const id of new Set(edits.values())) snapshots.set(id, await findSnapshot(tx, id))
  return new Map([...edits].map(([key, id]) => [key, snapshots.get(id)]))
}

async function statesBefore(tx: ReadTx, rows: readonly StateRow[], id: number) {
  const keys = rows.map(({ key }) => key)
  return new Map((await tx.statesAt(keys, id - 1)).map((row) => [row.key, row]))
}

function saysTheSame({ state: before }: StateRow, { state: now }: StateRow): boolean {
  if (!before || !now) return false
  return (['digest', 'type', 'format', 'label', 'links'] as const).every((name) => before[name] === now[name])
}
