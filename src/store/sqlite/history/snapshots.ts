import type { HeatClock } from '../../../core/port/heat.ts'
import type { CheckpointRow, DocumentMove, SnapshotPage, SpaceState } from '../../../core/port/history.ts'
import type { SnapshotRow } from '../../../core/port/store.ts'
import type { WriteSet } from '../../../core/port/write-set.ts'
import type { Context } from '../database/context.ts'
import { booleans, columnsOf, markBlob, selected, TABLES, toMark } from '../database/rows.ts'
import { insertion, limitOf, statement } from '../database/statements.ts'
import { stateVersions } from '../database/unchanged.ts'

type SqlState = Omit<SpaceState, 'head' | 'heat' | 'version' | 'digest'> &
  HeatClock & { headId: number | null; digest: unknown }
const withFlags = booleans<SqlState>('frozen', 'hasLinksById')

const SNAPSHOT = `SELECT ${selected('s', TABLES.snapshots)} FROM snapshots s`
const ALL = Number.MAX_SAFE_INTEGER
const after = (last: string): string => `coalesce((SELECT ${last}), 0) + 1`

const STATE = `SELECT p.head_id AS headId, p.home, p.state_digest AS digest, ${selected('p', TABLES.heatClock)},
    (SELECT count(*) FROM scrubs) AS pendingScrubs,
    ${after(`seq FROM sqlite_sequence WHERE name = 'snapshots'`)} AS nextSnapshotId,
    ${after('max(id) FROM main.documents')} AS nextDocumentId, ${after('max(key) FROM main.nodes')} AS nextNodeKey,
    ${after('max(id) FROM main.links')} AS nextLinkId,
    EXISTS (SELECT 1 FROM main.links WHERE target_id <> '') AS hasLinksById
  FROM spaces p WHERE p.id = ?`

export function snapshotReads(context: Context) {
  const { db, spaceId } = context
  const version = stateVersions(context)
  const state = statement<[number], SqlState>(db, STATE)
  const one = statement<[number | null], SnapshotRow>(db, `${SNAPSHOT} WHERE s.id = ?`)
  const pageIn = (order: 'DESC' | 'ASC') =>
    statement<number[], SnapshotRow>(
      db,
      `${SNAPSHOT} WHERE s.space_id = ? AND s.id > ? AND s.id < ? AND s.created_at <= ? AND (? OR s.cursor_hash <> '')
       ORDER BY s.id ${order} ${limitOf()}`,
    )
  const [newest, oldest] = [pageIn('DESC'), pageIn('ASC')]
  const checkpoints = statement<[number], CheckpointRow>(
    db,
    `SELECT ${selected('c', TABLES.checkpoints)} FROM checkpoints c WHERE c.space_id = ? ORDER BY c.snapshot_id, c.name`,
  )
  const moved = statement<[number], DocumentMove>(
    db,
    `SELECT ${selected('m', TABLES.moves)}, min(m.snapshot_id) FROM document_moves m WHERE m.snapshot_id > ?
      GROUP BY m.document_id`,
  )
  return {
    state(): SpaceState {
      const row = withFlags(state().get(spaceId) as SqlState)
      const { headId, digest, clock, tickedAt, frozen, coldBelow, ...facts } = row
      return {
        ...facts,
        head: one().get(headId),
        heat: { clock, tickedAt, frozen, coldBelow },
        // Where it is damaged, doctor reports that.
        digest: toMark(digest) ?? 0n,
        version: version(),
      }
    },
    snapshots({
      after = 0,
      before = ALL,
      until = ALL,
      limit,
      oldestFirst,
      hidden,
    }: SnapshotPage): SnapshotRow[] {
      const page = oldestFirst ? oldest() : newest()
      return page.all(spaceId, after, before, until, Number(hidden ?? false), limit)
    },
    checkpoints: (): CheckpointRow[] => checkpoints().all(spaceId),
    movedDocuments: (target: number): DocumentMove[] =>
      moved()
        .all(target)
        .map(({ documentId, snapshotId, collection, name }) => ({
          documentId,
          snapshotId,
          collection,
          name,
        })),
  }
}

export function snapshotWrites({ db, spaceId }: Context) {
  const put = insertion(
    db,
    'INSERT INTO snapshots',
    { ...columnsOf('spaceId'), ...TABLES.snapshots },
    'ON CONFLICT (id) DO UPDATE SET parent_id = excluded.parent_id, cursor_hash = excluded.cursor_hash',
  )
  const setHead = statement<[number | null, number]>(db, 'UPDATE spaces SET head_id = ? WHERE id = ?')
  const setDigest = statement<[Buffer, number]>(db, 'UPDATE spaces SET state_digest = ? WHERE id = ?')
  return {
    put: (row: SnapshotRow): void => put({ ...row, spaceId }),
    setState({ headId, digest }: NonNullable<WriteSet['state']>): void {
      if (headId !== undefined) setHead().run(headId, spaceId)
      if (digest !== undefined) setDigest().run(markBlob(digest), spaceId)
    },
  }
}
