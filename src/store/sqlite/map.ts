import type { ChangedDocument, DocumentSize } from '../../core/port/map.ts'
import type { BriefRow } from '../../core/port/nodes.ts'
import { type Context, listParameter } from './context.ts'
import { EFFECTIVE_HEAT } from './heat.ts'
import { SHOWN_NAME } from './rows.ts'
import { limitOf, statement } from './statements.ts'

const OWN = `d.space_id = @space AND d.owner_id = @owner AND d.state = 'live'`

const SIZES = `SELECT d.id AS documentId, d.kind, ${SHOWN_NAME} AS source, h.nodes, h.tokens
  FROM (SELECT n.document_id, count(*) AS nodes, sum(n.tokens) AS tokens FROM nodes n
    WHERE n.removed_in IS NULL GROUP BY n.document_id) h
  CROSS JOIN documents d ON d.id = h.document_id WHERE ${OWN}`

/** Nodes at the warm end of the order of heat that are looked at: what was never read is as warm as it came. */
const LOOKED_AT = 500
/** Changes that are looked at, the newest first. */
const CHANGES = 500

const part = (told: 0 | 1): string =>
  `SELECT * FROM (SELECT node_key FROM heat WHERE told = ${told} AND coldness IS NOT NULL ORDER BY coldness DESC LIMIT ${LOOKED_AT})`
const WARMEST = `SELECT n.key, n.id, n.type, n.label, n.tokens, ${EFFECTIVE_HEAT} AS temperature, ${SHOWN_NAME} AS source
  FROM spaces s CROSS JOIN (${part(0)} UNION ALL ${part(1)} UNION ALL SELECT node_key FROM heat WHERE pinned = 1) w
  CROSS JOIN heat h ON h.node_key = w.node_key CROSS JOIN nodes n ON n.key = h.node_key
  CROSS JOIN documents d ON d.id = n.document_id
  WHERE s.id = @space AND n.removed_in IS NULL AND (h.accesses > 0 OR h.pinned = 1)
  ORDER BY temperature DESC, n.key ${limitOf('@limit')}`

const CHANGED = `SELECT ${SHOWN_NAME} AS name, max(v.snapshot_id) AS snapshotId
  FROM (SELECT node_key, snapshot_id FROM versions ORDER BY snapshot_id DESC LIMIT ${CHANGES}) v
  CROSS JOIN nodes n ON n.key = v.node_key CROSS JOIN documents d ON d.id = n.document_id
  WHERE ${OWN} GROUP BY d.id ORDER BY snapshotId DESC, name ${limitOf('@limit')}`

type Own = { space: number; owner: number }

export function mapReads({ db, spaceId, ownerId }: Context) {
  const own: Own = { space: spaceId, owner: ownerId }
  const sizes = statement<[Own], DocumentSize>(db, SIZES)
  const nodesOf = statement<[{ documents: string; max: number }], number>(
    db,
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM nodes WHERE document_id = j.value AND removed_in IS NULL ${limitOf('@max')}))
     FROM json_each(@documents) j`,
  )
  const warmest = statement<[{ space: number; limit: number }], BriefRow>(db, WARMEST)
  const changed = statement<[Own & { limit: number }], ChangedDocument>(db, CHANGED)

  return {
    countNodesOf: (documentIds: number[], max: number): number[] =>
      nodesOf()
        .pluck()
        .all({ documents: listParameter(documentIds), max }),
    documentSizes: (): DocumentSize[] => sizes().all(own),
    warmest: (limit: number): BriefRow[] => warmest().all({ space: spaceId, limit }),
    changedLast: (limit: number): ChangedDocument[] => changed().all({ ...own, limit }),
  }
}
