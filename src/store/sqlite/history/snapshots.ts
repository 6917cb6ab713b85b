import { placeOf } from '../../../core/address.ts'
import type { HeatClock } from '../../../core/port/heat.ts'
import type {
  CheckpointRow,
  DocumentMove,
  SnapshotFilter,
  SnapshotPage,
  SpaceState,
} from '../../../core/port/history.ts'
import type { SnapshotRow } from '../../../core/port/store.ts'
import type { WriteSet } from '../../../core/port/write-set.ts'
import { type Context, listParameter } from '../database/context.ts'
import { booleans, columnsOf, markBlob, selected, TABLES, toMark } from '../database/rows.ts'
import { insertion, limitOf, statement, statements } from '../database/statements.ts'
import { stateVersions } from '../database/unchanged.ts'

type SqlState = Omit<SpaceState, 'head' | 'heat' | 'version' | 'digest'> &
  HeatClock & { headId: number | null; digest: unknown }
const withFlags = booleans<SqlState>('frozen', 'hasLinksById')

const SNAPSHOT = `SELECT ${selected('s', TABLES.snapshots)} FROM snapshots s`
const ALL = Number.MAX_SAFE_INTEGER

const CONDITIONS = {
  author: 's.author = @author',
  operation: 's.operation = @operation',
  since: 's.created_at >= @since',
  until: 's.created_at <= @until',
  within: `EXISTS (SELECT 1 FROM versions v JOIN nodes n ON n.key = v.node_key WHERE v.snapshot_id = s.id AND ${isWithin('n.document_id')})
    OR EXISTS (SELECT 1 FROM document_versions v WHERE v.snapshot_id = s.id AND ${isWithin('v.document_id')})
    OR EXISTS (SELECT 1 FROM document_moves v WHERE v.snapshot_id = s.id AND ${isWithin('v.document_id')})`,
} as const satisfies Record<keyof SnapshotFilter, string>

const SHOWN = ` AND s.cursor_hash <> ''`

/** Looks at the changes of each snapshot, one after the other, until enough fit. */
function pageSql(page: Omit<SnapshotPage, 'limit'>): string {
  const given = Object.entries(CONDITIONS).filter(
    ([name]) => page[name as keyof SnapshotFilter] !== undefined,
  )
  const where = given.map(([, condition]) => ` AND (${condition})`).join('')
  return `${page.within ? PLACES : ''} ${SNAPSHOT}
    WHERE s.space_id = @space AND s.id > @after AND s.id < @before${page.hidden ? '' : SHOWN}${where}
    ORDER BY s.id ${page.oldestFirst ? 'ASC' : 'DESC'} ${limitOf('@limit')}`
}

const PLACES = `WITH places (kind, collection, name) AS MATERIALIZED (
  SELECT value ->> 0, value ->> '$[1].collection', value ->> '$[1].name' FROM json_each(@places))`

/** Whether a document has or had one of the places, or one below: `0` is what comes after `/`. */
function isWithin(documentId: string): string {
  const at = (row: string) => `${row}.collection = p.collection AND
    (p.name IN ('', ${row}.name) OR ${row}.name > p.name || '/' AND ${row}.name < p.name || '0')`
  return `EXISTS (SELECT 1 FROM documents d CROSS JOIN places p WHERE d.id = ${documentId} AND d.kind = p.kind AND (${at('d')}
    OR EXISTS (SELECT 1 FROM document_moves m WHERE m.document_id = d.id AND ${at('m')})))`
}

const CHANGE_COUNTS = `SELECT * FROM (SELECT j.value AS snapshotId, (SELECT count(*) FROM (
    SELECT 1 FROM versions v WHERE v.snapshot_id = j.value ${limitOf()})) AS count FROM json_each(?) j) WHERE count > 0`

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
  const pageOf = statements(db)
  const counts = statement<[number, string], { snapshotId: number; count: number }>(db, CHANGE_COUNTS)
  const checkpoints = statement<[number], CheckpointRow>(
    db,
    `SELECT ${selected('c', TABLES.checkpoints)} FROM checkpoints c WHERE c.space_id = ? ORDER BY c.snapshot_id, c.name`,
  )
  const moved = statement<[number], DocumentMove>(
    db,
    `SELECT ${selected('m', TABLES.moves)}, min(m.snapshot_id) FROM document_moves m WHERE m.snapshot_id > ?
      GROUP BY m.document_id`,
  )
  const movesOf = statement<[string], DocumentMove>(
    db,
    `SELECT ${selected('m', TABLES.moves)} FROM document_moves m WHERE m.document_id IN (SELECT value FROM json_each(?))
     ORDER BY m.document_id, m.snapshot_id`,
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
    snapshots(page: SnapshotPage): SnapshotRow[] {
      const { after = 0, before = ALL, within = [], oldestFirst: _, hidden: __, ...given } = page
      const places = JSON.stringify(within.map((address) => [address.kind, placeOf(address)]))
      return pageOf(pageSql(page), { ...given, space: spaceId, after, before, places })
    },
    changeCounts: (ids: readonly number[], most: number) => counts().all(most, listParameter(ids)),
    documentMoves: (ids: readonly number[]): DocumentMove[] => movesOf().all(listParameter(ids)),
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
