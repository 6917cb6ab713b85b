import { pastAttributes, pastText } from '../../core/document-past.ts'
import type { NodeState } from '../../core/model.ts'
import type { DocumentReads } from '../../core/port/documents.ts'
import type * as port from '../../core/port/history.ts'
import type { NodeRow } from '../../core/port/rows.ts'
import type { StoredDocument } from '../../core/port/stored.ts'
import type { VersionPut } from '../../core/port/write-set.ts'
import { utf8Length } from '../../core/tokens.ts'
import { by } from '../../util/order.ts'
import type { Sync } from '../tx.ts'
import { versionsUntil } from './documents.ts'
import { textOf } from './nodes.ts'
import { headOf, pick, spaceOf, type Tables } from './tables.ts'

const inTime = by(({ snapshotId, nodeKey }: Pick<port.VersionRow, 'snapshotId' | 'nodeKey'>) => [
  snapshotId,
  nodeKey,
])

/** `version`: as `SpaceState` has it. */
export function historyReads(
  tables: Tables,
  version: () => string,
): Sync<port.HistoryReads & Pick<DocumentReads, 'documentVersions'>> {
  /** What a snapshot left of a node. */
  function versionAt(key: number, until: number): VersionPut | undefined {
    return tables.versions.get(key)?.findLast(({ snapshotId }) => snapshotId <= until)
  }
  function stateAt(key: number | null, until: number): NodeState | null {
    return versionAt(key ?? 0, until)?.state ?? null
  }
  function shown(state: NodeState): port.VersionState {
    const { parentKey, digest, ...rest } = state
    const [parent] = pick(tables.nodes, [parentKey ?? 0])
    return { ...rest, parentId: parent?.id ?? null, text: textOf(tables, digest) ?? '' }
  }
  function pastState(state: NodeState, at: number): port.PastState {
    const parentKey = stateAt(state.parentKey, at) ? state.parentKey : null
    return { ...shown(state), digest: state.digest, parentKey }
  }
  function versionRow({ key: nodeKey, snapshotId, op, state }: VersionPut): port.VersionRow {
    const { id: nodeId } = tables.nodes.get(nodeKey) as NodeRow
    const old = stateAt(nodeKey, snapshotId - 1)
    return { snapshotId, nodeKey, nodeId, op, old: old && shown(old), new: state && shown(state) }
  }
  function versionsIn({ since = 0, until = Infinity }: port.VersionSelect): VersionPut[] {
    const all = [...tables.versions.values()].flat()
    return all.filter(({ snapshotId }) => snapshotId > since && snapshotId <= until)
  }

  return {
    state() {
      const { home, heat, digest, lastSnapshotId } = spaceOf(tables)
      const next = {
        nextSnapshotId: lastSnapshotId + 1,
        nextDocumentId: nextOf(tables.documents),
        nextNodeKey: nextOf(tables.nodes),
        nextLinkId: nextOf(tables.links),
        hasLinksById: [...tables.links.values()].some(({ wantedId }) => wantedId !== ''),
      }
      // Nothing is on a disk.
      return { head: headOf(tables), home, heat, digest, pendingScrubs: 0, version: version(), ...next }
    },
    snapshots({ after = 0, before = Infinity, limit }) {
      const between = [...tables.snapshots.values()].filter(({ id }) => id > after && id < before)
      return between.sort(by(({ id }) => [-id])).slice(0, limit)
    },
    versions(select, { limit, after }) {
      const rows = versionsIn(select).map(versionRow).sort(inTime)
      if (select.nodeId === undefined)
        return rows.filter((row) => !after || inTime(row, after) > 0).slice(0, limit)
      const own = rows.filter(({ nodeId }) => nodeId === select.nodeId)
      return own.reverse().slice(0, limit)
    },
    statesAt: (keys, at) =>
      keys
        .flatMap((key) => versionAt(key, at) ?? [])
        .map(({ key, snapshotId, state }) => ({ key, snapshotId, state: state && pastState(state, at) })),
    changedDocuments(target) {
      const isChanged = ({ id }: StoredDocument): boolean =>
        (tables.documentVersions.get(id)?.at(-1)?.snapshotId ?? 0) > target
      const documents = [...tables.documents.values()].filter(isChanged)
      return documents.map((document) => pastOf(tables, document, target))
    },
    documentVersions(id, { limit, before = Infinity }) {
      const earlier = (tables.documentVersions.get(id) ?? []).filter(({ snapshotId }) => snapshotId < before)
      const newest = earlier.reverse().slice(0, limit)
      return newest.map(({ snapshotId, state }) => {
        const [snapshot] = pick(tables.snapshots, [snapshotId])
        const versions = versionsUntil(tables, id, snapshotId)
        const text = pastText(versions, (digest) => textOf(tables, digest))
        const attributes = pastAttributes(versions)
        return { snapshotId, createdAt: snapshot?.createdAt ?? 0, state, attributes, text }
      })
    },
  }
}

function nextOf(table: ReadonlyMap<number, unknown>): number {
  return [...table.keys()].reduce((most, key) => Math.max(most, key), 0) + 1
}

/** One that was not there was removed. */
function pastOf(tables: Tables, { id, address }: StoredDocument, target: number): port.PastDocument {
  const then = tables.documentVersions.get(id)?.findLast(({ snapshotId }) => snapshotId <= target)
  const { state = 'removed', digest = null, textDigest = null, attributes = null, lead = null } = then ?? {}
  const text = address.kind === 'record' ? textOf(tables, textDigest) : null
  const content = { digest, textDigest, textBytes: utf8Length(text ?? ''), attributes }
  return { documentId: id, state, ...content, isPiece: lead !== null }
}
