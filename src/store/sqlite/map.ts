import type { ChangedDocument, MapGroup, MapGroups } from '../../core/port/map.ts'
import type { BriefRow } from '../../core/port/outline.ts'
import type { Context } from './context.ts'
import { EFFECTIVE_HEAT } from './heat.ts'
import { SHOWN_NAME } from './rows.ts'
import { limitOf, statement } from './statements.ts'

/** The doors beside files are folders of their own. */
const MAP_NAME = `CASE d.kind WHEN 'source' THEN d.name ELSE d.kind || ':/' || (${SHOWN_NAME}) END`
const OWN = `d.space_id = @space AND d.owner_id = @owner AND d.state = 'live'`

/** Added up where the rows are: what comes out is what is shown. */
const GROUPS = `WITH
  held AS (SELECT n.document_id, count(*) AS nodes, sum(n.tokens) AS tokens FROM nodes n
    WHERE n.removed_in IS NULL GROUP BY n.document_id),
  named AS (SELECT d.id, ${MAP_NAME} AS name, h.nodes, h.tokens FROM held h CROSS JOIN documents d ON d.id = h.document_id
    WHERE ${OWN}),
  below AS (SELECT id, name, nodes, tokens, instr(substr(name, length(@folder) + 1), '/') AS slash FROM named
    WHERE substr(name, 1, length(@folder)) = @folder),
  grouped AS (SELECT CASE slash WHEN 0 THEN name ELSE substr(name, 1, length(@folder) + slash) END AS shown,
      min(slash) > 0 AS is_folder, min(id) AS document, count(*) AS documents, sum(nodes) AS nodes, sum(tokens) AS tokens
    FROM below GROUP BY shown)
  SELECT shown AS name, is_folder AS isFolder, document, documents, nodes, tokens, count(*) OVER () AS groupCount,
    sum(documents) OVER () AS allDocuments, sum(nodes) OVER () AS allNodes, sum(tokens) OVER () AS allTokens
  FROM grouped ORDER BY tokens DESC, shown ${limitOf('@limit')}`

interface SqlGroup extends Omit<MapGroup, 'nodeId'> {
  isFolder: 0 | 1
  document: number
  groupCount: number
  allDocuments: number
  allNodes: number
  allTokens: number
}

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
  const groups = statement<[Own & { folder: string; limit: number }], SqlGroup>(db, GROUPS)
  const ends = statement<[Own], { first: string | null; last: string | null }>(
    db,
    `SELECT min(${MAP_NAME}) AS first, max(${MAP_NAME}) AS last FROM documents d
     WHERE ${OWN} AND EXISTS (SELECT 1 FROM nodes n WHERE n.document_id = d.id AND n.removed_in IS NULL)`,
  )
  const firstNode = statement<[number], { id: string }>(
    db,
    `SELECT n.id FROM nodes n WHERE n.document_id = ? AND n.parent_key IS NULL AND n.removed_in IS NULL
     ORDER BY n.type = 'preamble', n.position, n.key LIMIT 1`,
  )
  const warmest = statement<[{ space: number; limit: number }], BriefRow>(db, WARMEST)
  const changed = statement<[Own & { limit: number }], ChangedDocument>(db, CHANGED)

  function toGroup({ name, isFolder, document, documents, nodes, tokens }: SqlGroup): MapGroup {
    const nodeId = isFolder ? null : (firstNode().get(document)?.id ?? null)
    return { name, documents, nodes, tokens, nodeId }
  }

  return {
    commonFolder(): string {
      const { first, last } = ends().get(own) ?? { first: null, last: null }
      return first === null || last === null ? '' : folderOfBoth(first, last)
    },
    mapGroups({ folder, limit }: { folder: string; limit: number }): MapGroups {
      const rows = groups().all({ ...own, folder, limit })
      const [{ groupCount = 0, allDocuments = 0, allNodes = 0, allTokens = 0 } = {}] = rows
      const total = { groups: groupCount, documents: allDocuments, nodes: allNodes, tokens: allTokens }
      return { groups: rows.map(toGroup), total }
    },
    warmest: (limit: number): BriefRow[] => warmest().all({ space: spaceId, limit }),
    changedLast: (limit: number): ChangedDocument[] => changed().all({ ...own, limit }),
  }
}

/** All names are between the two, so they share what these share. */
function folderOfBoth(first: string, last: string): string {
  let at = 0
  while (at < first.length && first[at] === last[at]) at++
  return first.slice(0, first.lastIndexOf('/', at - 1) + 1)
}
