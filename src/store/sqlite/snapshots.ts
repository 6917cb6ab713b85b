import type { SnapshotPage, SpaceState } from '../../core/port/history.ts'
import type { SnapshotRow } from '../../core/port/store.ts'
import type { WriteSet } from '../../core/port/write-set.ts'
import type { Context } from './context.ts'
import { markBlob, toMark } from './marks.ts'
import { type SqlSnapshot, toSnapshot } from './rows.ts'
import { limitOf, statement } from './statements.ts'
import { stateVersions } from './unchanged.ts'

const COLUMNS = 's.id, s.parent_id, s.cursor_hash, s.author, s.operation, s.message, s.root, s.created_at'

interface SqlState extends Omit<SqlSnapshot, 'id'> {
  /** Of the head; null: there is none. */
  id: number | null
  home: string | null
  heat_clock: number
  heat_ticked_at: number
  heat_frozen: number
  cold_below: number
  digest: unknown
  scrubs: number
  last_snapshot: number | null
  last_document: number | null
  last_key: number | null
  last_link: number | null
  links_by_id: number
}

export function snapshotReads(context: Context) {
  const { db, spaceId } = context
  const version = stateVersions(context)
  const state = statement<[number], SqlState>(
    db,
    `SELECT ${COLUMNS}, p.home, p.heat_clock, p.heat_ticked_at, p.heat_frozen, p.cold_below, p.state_digest AS digest,
       (SELECT count(*) FROM scrubs) AS scrubs, (SELECT seq FROM sqlite_sequence WHERE name = 'snapshots') AS last_snapshot,
       (SELECT max(id) FROM main.documents) AS last_document, (SELECT max(key) FROM main.nodes) AS last_key,
       (SELECT max(id) FROM main.links) AS last_link, EXISTS (SELECT 1 FROM main.links WHERE target_id <> '') AS links_by_id
     FROM spaces p LEFT JOIN snapshots s ON s.id = p.head_id WHERE p.id = ?`,
  )
  const newest = statement<[number, number, number, number], SqlSnapshot>(
    db,
    `SELECT ${COLUMNS} FROM snapshots s WHERE s.space_id = ? AND s.id > ? AND s.id < ? ORDER BY s.id DESC ${limitOf()}`,
  )
  return {
    state: (): SpaceState => ({ ...toState(state().get(spaceId) as SqlState), version: version() }),
    snapshots: ({ after = 0, before = Number.MAX_SAFE_INTEGER, limit }: SnapshotPage): SnapshotRow[] =>
      newest().all(spaceId, after, before, limit).map(toSnapshot),
  }
}

function toState(row: SqlState): Omit<SpaceState, 'version'> {
  return {
    head: row.id === null ? undefined : toSnapshot(row as SqlSnapshot),
    home: row.home,
    heat: {
      clock: row.heat_clock,
      tickedAt: row.heat_ticked_at,
      frozen: row.heat_frozen === 1,
      coldBelow: row.cold_below,
    },
    pendingScrubs: row.scrubs,
    // Where it is damaged, doctor reports that.
    digest: toMark(row.digest) ?? 0n,
    nextSnapshotId: (row.last_snapshot ?? 0) + 1,
    nextDocumentId: (row.last_document ?? 0) + 1,
    nextNodeKey: (row.last_key ?? 0) + 1,
    nextLinkId: (row.last_link ?? 0) + 1,
    hasLinksById: row.links_by_id === 1,
  }
}

export function snapshotWrites({ db, spaceId }: Context) {
  const put = statement<[SnapshotRow & { space: number }]>(
    db,
    `INSERT INTO snapshots (id, space_id, parent_id, cursor_hash, author, operation, message, root, created_at)
     VALUES (@id, @space, @parentId, @cursorHash, @author, @operation, @message, @root, @createdAt)
     ON CONFLICT (id) DO UPDATE SET parent_id = excluded.parent_id, cursor_hash = excluded.cursor_hash`,
  )
  const setHead = statement<[number | null, number]>(db, 'UPDATE spaces SET head_id = ? WHERE id = ?')
  const setDigest = statement<[Buffer, number]>(db, 'UPDATE spaces SET state_digest = ? WHERE id = ?')
  return {
    put: (row: SnapshotRow): void => void put().run({ ...row, space: spaceId }),
    setState({ headId, digest }: NonNullable<WriteSet['state']>): void {
      if (headId !== undefined) setHead().run(headId, spaceId)
      if (digest !== undefined) setDigest().run(markBlob(digest), spaceId)
    },
  }
}
