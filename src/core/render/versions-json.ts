import { labelOfState, type PlacedVersion } from '../history/version-places.ts'
import { decodeLinks } from '../link.ts'
import type { VersionRow, VersionState } from '../port/store.ts'
import { labelOfVersion } from './versions-text.ts'

/** A change without texts, for `delta`. */
export function deltaJson(row: VersionRow) {
  return { snapshot_id: row.snapshotId, op: row.op, node_id: row.nodeId, label: labelOfVersion(row) }
}

/** A node before and after, for `diff`. */
export function diffJson(row: PlacedVersion) {
  const { op, nodeId, file, heading } = row
  return { op, node_id: nodeId, file, heading, old: stateJson(row.old), new: stateJson(row.new) }
}

/** A version of a node, for `history`. */
export function historyJson(row: PlacedVersion) {
  const { snapshotId, op, file, heading } = row
  return { snapshot_id: snapshotId, op, file, heading, old: stateJson(row.old), new: stateJson(row.new) }
}

function stateJson(state: VersionState | null) {
  return (
    state && {
      parent_id: state.parentId,
      type: state.type,
      format: state.format,
      label: labelOfState(state),
      text: state.text,
      links: decodeLinks(state.links),
    }
  )
}
