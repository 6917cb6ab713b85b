import type { WriteCaller } from '../access/principal.ts'
import type { StoredRows, VersionTable } from '../port/scan.ts'
import type { Operation, SnapshotRow, WriteTx } from '../port/store.ts'
import type { WriteSet } from '../port/write-set.ts'
import { foldDocuments } from './fold-documents.ts'
import { type FoldedVersions, foldVersions } from './fold-versions.ts'
import { isHidden, nextRun, type Run } from './kept-snapshots.ts'
import { noPruned, type Pruned, type PruneTail, releaseTexts } from './pruned.ts'
import { removeEmptied } from './removed-nodes.ts'

/** Snapshots per read. */
const PAGE = 500
/** Versions per transaction: others write in between. */
export const VERSIONS_AT_ONCE = 500

export interface PruneStepInput {
  tail: PruneTail
  /** The first step of a call is recorded in the audit. */
  isFirst: boolean
  /** Default: 500. */
  versionsAtOnce?: number
  caller?: WriteCaller | undefined
}

/** `tail`: for the next step; null: nothing is left. `moved`: the tail is no longer there, plan again. */
export interface PruneStepResult extends Pruned {
  tail: PruneTail | null | 'moved'
  isChanged: boolean
}

/**
 * Folds some snapshots, newest first, into the one above them that stays. Each step leaves a whole history, in which
 * snapshots that stay are as before. One with too many versions for one step is hidden until it is empty.
 */
export const pruneStep: Operation<PruneStepInput, PruneStepResult> = {
  name: 'prune',
  makesLinks: true,
  async run(tx, { tail, versionsAtOnce = VERSIONS_AT_ONCE }) {
    const pruned = noPruned()
    const stays = await findStaying(tx, tail)
    if (!stays) return { tail: 'moved', isChanged: false, ...pruned }
    const named = await namedSnapshots(tx)
    let into = stays
    for (let left = versionsAtOnce; left > 0; ) {
      const older = await tx.snapshots({ before: into.id, limit: PAGE, hidden: true })
      const run = nextRun(into, older, named)
      into = run.into
      if (run.gone.length > 0) left -= await foldRun(tx, await cutRun(tx, run, left), pruned)
      else if (older.length < PAGE) return { tail: null, isChanged: left < versionsAtOnce, ...pruned }
    }
    return { tail: { ...tail, from: into.id }, isChanged: true, ...pruned }
  },
}

/** Undefined: a rollback deleted it, or what made it stay. */
async function findStaying(tx: WriteTx, { head, from }: PruneTail): Promise<SnapshotRow | undefined> {
  const find = async (id: number) => (await tx.snapshots({ after: id - 1, before: id + 1, limit: 1 }))[0]
  const [newest, stays] = await Promise.all([find(head), find(from)])
  return newest && stays
}

/** Checkpoints stay. */
export async function namedSnapshots(tx: Pick<WriteTx, 'checkpoints'>): Promise<(id: number) => boolean> {
  const named = new Set((await tx.checkpoints()).map(({ snapshotId }) => snapshotId))
  return (id) => named.has(id)
}

/** The newest part of a run that fits into one step. */
interface Part {
  into: number
  rows: PartRows
  /** Those whose rows are all in it. */
  gone: SnapshotRow[]
  /** The one of which only some are in it. */
  partly?: SnapshotRow
}
type PartRows = { [T in VersionTable]: StoredRows[T][] }

async function cutRun(tx: WriteTx, { into, gone }: Run<SnapshotRow>, limit: number): Promise<Part> {
  const [newest, oldest] = [gone[0], gone.at(-1)] as [SnapshotRow, SnapshotRow]
  const range = { since: oldest.id - 1, until: newest.id }
  const [versions, documentVersions, moves] = await Promise.all([
    tx.scanBack('versions', range, limit),
    tx.scanBack('documentVersions', range, limit),
    tx.scanBack('moves', range, limit),
  ])
  const all = { versions, documentVersions, moves }
  const lastRead = Math.max(...Object.values(all).map((rows) => lastOfFull(rows, limit)))
  const whole = gone.filter(({ id }) => id > lastRead)
  const last = whole.at(-1)
  return last
    ? { into: into.id, rows: rowsFrom(all, last.id), gone: whole }
    : { into: into.id, rows: rowsFrom(all, newest.id), gone: [], partly: newest }
}

/** The snapshot that a full page may have only a part of; 0: there are no more rows. */
function lastOfFull(rows: readonly { snapshotId: number }[], limit: number): number {
  return rows.length < limit ? 0 : (rows.at(-1)?.snapshotId ?? 0)
}

function rowsFrom({ versions, documentVersions, moves }: PartRows, lowest: number): PartRows {
  const isIn = ({ snapshotId }: { snapshotId: number }): boolean => snapshotId >= lowest
  return {
    versions: versions.filter(isIn),
    documentVersions: documentVersions.filter(isIn),
    moves: moves.filter(isIn),
  }
}

/** Returns about how much of a step that was: a snapshot costs as much as a version. */
async function foldRun(tx: WriteTx, part: Part, pruned: Pruned): Promise<number> {
  const { into, gone, partly, rows } = part
  const nodes = await foldNodes(tx, rows.versions, into)
  const documents = await foldDocuments(tx, rows.documentVersions, into)
  const removedVersions = nodes.removed.map(({ nodeKey: key, snapshotId }) => ({ key, snapshotId }))
  const texts = await releaseTexts(tx, [...nodes.removed, ...documents.removed], pruned)
  await tx.commit({
    texts: [...texts, ...documents.texts],
    versions: { put: [], remove: removedVersions },
    documentVersions: documents.replaced,
    moves: await foldMoves(tx, rows.moves, into),
    ...(partly && !isHidden(partly) && { snapshots: [{ ...partly, cursorHash: '' }] }),
    fold: {
      into,
      versions: nodes.moved,
      documentVersions: documents.moved,
      snapshots: gone.map(({ id }) => id),
      parent: await parentBelow(tx, gone),
      nodes: [],
    },
    changes: ['prune'],
  })
  pruned.snapshots += gone.length
  pruned.versions += nodes.removed.length + documents.removed.length - documents.replaced.put.length
  pruned.nodes += await removeEmptied(tx, nodes.ended, into)
  return gone.length + rows.versions.length + rows.documentVersions.length + rows.moves.length
}

async function foldNodes(tx: WriteTx, versions: PartRows['versions'], into: number): Promise<FoldedVersions> {
  const nodeKey = [...new Set(versions.map((row) => row.nodeKey))]
  const of = { nodeKey, snapshotId: [into] }
  const there = nodeKey.length > 0 ? await tx.scan('versions', { of, limit: nodeKey.length }) : []
  return foldVersions([...versions, ...there], into)
}

/** The first move of each document has its address at the snapshot before. */
async function foldMoves(
  tx: WriteTx,
  moves: PartRows['moves'],
  into: number,
): Promise<NonNullable<WriteSet['moves']>> {
  const documentId = [...new Set(moves.map((move) => move.documentId))]
  const of = { documentId, snapshotId: [into] }
  const there = documentId.length > 0 ? await tx.scan('moves', { of, limit: documentId.length }) : []
  // The last one of each document in this order wins.
  const newestFirst = [...there, ...moves]
  const first = new Map(newestFirst.map((move) => [move.documentId, { ...move, snapshotId: into }]))
  return { put: [...first.values()], remove: newestFirst }
}

/** The next older snapshot. */
async function parentBelow(tx: WriteTx, gone: readonly SnapshotRow[]): Promise<number | null> {
  const lowest = gone.at(-1)
  if (!lowest) return null
  const [below] = await tx.snapshots({ before: lowest.id, limit: 1, hidden: true })
  return below?.id ?? null
}
