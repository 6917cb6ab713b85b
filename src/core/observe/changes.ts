import { shownName, toAddress } from '../address.ts'
import { diff } from '../history/history.ts'
import type { PlacedVersion } from '../history/version-places.ts'
import { type NextPage, type PageInput, pageOf } from '../page.ts'
import { momentAt, parseMoment } from '../past/moment.ts'
import type { MomentInput, VersionState } from '../port/history.ts'
import type { ReadTx, SnapshotRow, Store } from '../port/store.ts'

/** A net change: a `move` changed nothing but the place. */
export type NetChange = Omit<PlacedVersion, 'op'> & { op: PlacedVersion['op'] | 'move' }

/** A file that got another path. */
export interface RenamedFile {
  from: string
  to: string
}

export interface Changes extends NextPage {
  from: SnapshotRow
  to: SnapshotRow
  changes: NetChange[]
  /** Only on the first page. */
  renamed: RenamedFile[]
}

export interface ChangesInput extends PageInput {
  from: MomentInput
  to: MomentInput
}

/** What changed between two moments, all in all: one entry for a node. */
export async function changes(
  { store, now }: { store: Pick<Store, 'read'>; now: () => number },
  { from, to, ...input }: ChangesInput,
): Promise<Changes> {
  const { limit, cursor } = pageOf(input)
  const at = now()
  const { first, last, renamed } = await store.read(async (tx) => {
    const first = await momentAt(tx, parseMoment(from, at))
    const last = await momentAt(tx, parseMoment(to, at))
    return { first, last, renamed: cursor === undefined ? await renamedBetween(tx, first.id, last.id) : [] }
  })
  const range = { from: first.id, to: last.id, limit, ...(cursor === undefined ? {} : { after: cursor }) }
  const { items, next } = await diff(store, range)
  return { from: first, to: last, changes: items.map(withMove), renamed, next_cursor: next }
}

function withMove(row: PlacedVersion): NetChange {
  return { ...row, op: isMove(row) ? 'move' : row.op }
}

function isMove({ op, old, new: now }: PlacedVersion): boolean {
  if (op !== 'mod' || !old || !now) return false
  return JSON.stringify(contentOf(old)) === JSON.stringify(contentOf(now))
}

function contentOf({ parentId: _, position: __, ...content }: VersionState): object {
  return content
}

async function renamedBetween(tx: ReadTx, from: number, to: number): Promise<RenamedFile[]> {
  const [before, after] = await Promise.all([tx.movedDocuments(from), tx.movedDocuments(to)])
  const documents = await tx.documents({ ids: before.map(({ documentId }) => documentId) }, 'row')
  const later = new Map(after.map((move) => [move.documentId, move]))
  const earlier = new Map(before.map((move) => [move.documentId, move]))
  return documents.flatMap(({ id, address }) => {
    const pathAt = (moves: typeof later): string => {
      const move = moves.get(id)
      return shownName(move ? toAddress(address.kind, move.collection, move.name) : address)
    }
    const renamed = { from: pathAt(earlier), to: pathAt(later) }
    return renamed.from === renamed.to ? [] : [renamed]
  })
}
