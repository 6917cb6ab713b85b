import { isAtOrBelow, placeOf } from '../../core/address.ts'
import { pastAttributes, pastDocument, pastText } from '../../core/history/document-past.ts'
import { fitsSnapshot } from '../../core/history/snapshot-filter.ts'
import type { Address, NodeState } from '../../core/model.ts'
import type { DocumentReads } from '../../core/port/documents.ts'
import type * as port from '../../core/port/history.ts'
import type { NodeRow } from '../../core/port/rows.ts'
import type { VersionPut } from '../../core/port/write-set.ts'
import { utf8Length } from '../../core/tokens.ts'
import { by } from '../../util/text/order.ts'
import type { Sync } from '../tx.ts'
import { documentVersionsOf } from './documents.ts'
import { textOf, versionsOf } from './nodes.ts'
import { pick, rowsOf, type Tables } from './tables.ts'

const inTime = by(({ snapshotId, key }: Pick<VersionPut, 'snapshotId' | 'key'>) => [snapshotId, key])

/** `version`: as `SpaceState` has it. */
export function historyReads(
  tables: Tables,
  version: () => string,
): Sync<port.HistoryReads & Pick<DocumentReads, 'documentVersions'>> {
  /** What a snapshot left of a node. */
  function versionAt(key: number | null, until: number): VersionPut | undefined {
    return versionsOf(tables, key ?? 0).findLast(({ snapshotId }) => snapshotId <= until)
  }
  function shown({ parentKey, digest, ...rest }: NodeState): port.VersionState {
    const parentId = tables.nodes.get(parentKey ?? 0)?.id ?? null
    return { ...rest, parentId, text: textOf(tables, digest) ?? '' }
  }
  function pastState(state: NodeState, at: number): port.PastState {
    const parentKey = versionAt(state.parentKey, at)?.state ? state.parentKey : null
    return { ...shown(state), digest: state.digest, parentKey }
  }
  function versionRow({ key: nodeKey, snapshotId, op, state }: VersionPut): port.VersionRow {
    const { id: nodeId } = tables.nodes.get(nodeKey) as NodeRow
    const old = versionAt(nodeKey, snapshotId - 1)?.state
    return { snapshotId, nodeKey, nodeId, op, old: old ? shown(old) : null, new: state && shown(state) }
  }

  return {
    state() {
      const { headId, home, heat, digest } = tables.space
      return {
        ...{ head: tables.snapshots.get(headId ?? 0), home, heat, digest, version: version() },
        // Nothing is on a disk.
        pendingScrubs: 0,
        nextSnapshotId: nextOf(tables.snapshots),
        nextDocumentId: nextOf(tables.documents),
        nextNodeKey: nextOf(tables.nodes),
        nextLinkId: nextOf(tables.links),
        hasLinksById: rowsOf(tables.links).some(({ wantedId }) => wantedId !== ''),
      }
    },
    snapshots({ after = 0, before = Infinity, limit, within, oldestFirst, hidden, ...filter }) {
      const changed = within && changedWithin(tables, within)
      const fitting = rowsOf(tables.snapshots, (row) => {
        const isBetween = row.id > after && row.id < before && (hidden || row.cursorHash !== '')
        return isBetween && fitsSnapshot(row, filter) && (changed?.has(row.id) ?? true)
      })
      return fitting.sort(by(({ id }) => [oldestFirst ? id : -id])).slice(0, limit)
    },
    changeCounts(ids, most) {
      const counted = [...new Set(ids)].map((snapshotId) => {
        const changes = rowsOf(tables.versions, (version) => version.snapshotId === snapshotId)
        return { snapshotId, count: Math.min(most, changes.length) }
      })
      return counted.filter(({ count }) => count > 0)
    },
    documentMoves(ids) {
      const moves = rowsOf(tables.moves, ({ documentId }) => ids.includes(documentId))
      return moves.sort(by(({ documentId, snapshotId }) => [documentId, snapshotId]))
    },
    versions({ nodeId, since = 0, until = Infinity }, { limit, after }) {
      const inRange = rowsOf(tables.versions, ({ snapshotId }) => snapshotId > since && snapshotId <= until)
      const found = inRange.sort(inTime).filter((one) => {
        if (nodeId !== undefined) return tables.nodes.get(one.key)?.id === nodeId
        return !after || inTime(one, { ...after, key: after.nodeKey }) > 0
      })
      return (nodeId === undefined ? found : found.reverse()).slice(0, limit).map(versionRow)
    },
    statesAt: (keys, at) =>
      keys
        .flatMap((key) => versionAt(key, at) ?? [])
        .map(({ key, snapshotId, state }) => ({ key, snapshotId, state: state && pastState(state, at) })),
    changedDocuments(target) {
      const later = rowsOf(tables.documentVersions, ({ snapshotId }) => snapshotId > target)
      const ids = new Set(later.map(({ documentId }) => documentId))
      return pick(tables.documents, ids).map(({ id: documentId }) => {
        const then = documentVersionsOf(tables, documentId).filter(({ snapshotId }) => snapshotId <= target)
        const text = textOf(tables, then.at(-1)?.textDigest ?? null)
        const updatedAt = tables.snapshots.get(then.at(-1)?.snapshotId ?? 0)?.createdAt ?? null
        return { documentId, ...pastDocument(then), updatedAt, textBytes: utf8Length(text ?? '') }
      })
    },
    historyCost() {
      const { snapshots, versions, documentVersions, documents, nodes, texts } = tables
      const appended = rowsOf(documents, (one) => one.appended).flatMap(({ id }) =>
        documentVersionsOf(tables, id),
      )
      const present = new Set([
        ...rowsOf(nodes).map(({ digest }) => digest),
        ...[...rowsOf(documents), ...appended].map(({ textDigest }) => textDigest),
      ])
      const past = rowsOf(texts, ({ digest }) => !present.has(digest))
      return {
        snapshots: snapshots.size,
        versions: versions.size + documentVersions.size,
        textBytes: past.reduce((sum, { text }) => sum + utf8Length(text), 0),
      }
    },
    checkpoints: () => rowsOf(tables.checkpoints).sort(by(({ snapshotId, name }) => [snapshotId, name])),
    movedDocuments(target) {
      const later = rowsOf(tables.moves, ({ snapshotId }) => snapshotId > target)
      const first = later.sort(by(({ snapshotId }) => [-snapshotId]))
      return [...new Map(first.map((move) => [move.documentId, move])).values()]
    },
    documentVersions(id, { limit, before = Infinity }) {
      const earlier = documentVersionsOf(tables, id).filter(({ snapshotId }) => snapshotId < before)
      const shown = earlier.map(({ snapshotId, state }, at) => {
        const createdAt = tables.snapshots.get(snapshotId)?.createdAt ?? 0
        const versions = earlier.slice(0, at + 1)
        const text = pastText(versions, (digest) => textOf(tables, digest))
        return { snapshotId, createdAt, state, attributes: pastAttributes(versions), text }
      })
      return shown.reverse().slice(0, limit)
    },
  }
}

/** Snapshots that changed a document which is or was at one of these places. */
function changedWithin(tables: Tables, within: readonly Address[]): Set<number> {
  const { documents, nodes, moves, versions, documentVersions } = tables
  const places = rowsOf(documents).map(({ id, address }) => ({ documentId: id, ...placeOf(address) }))
  const found = [...places, ...moves.values()].filter(({ documentId, ...place }) => {
    const kind = documents.get(documentId)?.address.kind
    return within.some((address) => address.kind === kind && isAtOrBelow(place, placeOf(address)))
  })
  const ids = new Set(found.map(({ documentId }) => documentId))
  const ofNodes = rowsOf(versions, ({ key }) => ids.has(nodes.get(key)?.documentId ?? 0))
  const isOf = ({ documentId }: { documentId: number }): boolean => ids.has(documentId)
  const changes = [...ofNodes, ...rowsOf(documentVersions, isOf), ...rowsOf(moves, isOf)]
  return new Set(changes.map(({ snapshotId }) => snapshotId))
}

function nextOf(table: ReadonlyMap<number, unknown>): number {
  return [...table.keys()].reduce((most, key) => Math.max(most, key), 0) + 1
}
