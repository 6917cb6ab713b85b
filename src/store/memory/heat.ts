import { shownName } from '../../core/address.ts'
import type { ColdPage, ColdRow, HeatReads, HeatRecord } from '../../core/port/heat.ts'
import type { MapReads } from '../../core/port/map.ts'
import type { NodeRow } from '../../core/port/rows.ts'
import type { Overview } from '../../core/port/store.ts'
import { coldnessOf } from '../../core/write/coldness.ts'
import { by } from '../../util/order.ts'
import type { Sync } from '../tx.ts'
import { sizeOf } from './documents.ts'
import { briefNode, heatOf, liveNodes, sourceOf } from './nodes.ts'
import { headOf, pick, spaceOf, type Tables } from './tables.ts'

export function heatReads(tables: Tables): Sync<HeatReads> {
  /** Coldest first; what is pinned or removed does not cool. */
  function cooling(below = Infinity): HeatRecord[] {
    const threshold = coldnessOf(below, spaceOf(tables).heat.clock)
    const all = [...tables.heat.values()].filter(({ coldness }) => coldness !== null && coldness < threshold)
    return all.sort(by(({ coldness, key }) => [coldness, key]))
  }
  function coldRow({ key }: HeatRecord): ColdRow {
    const node = tables.nodes.get(key) as NodeRow
    return { key, id: node.id, label: node.label, source: sourceOf(tables, node), value: heatOf(tables, key) }
  }
  function isLongUnread(record: HeatRecord, { tokens, since }: Required<ColdPage>['unread']): boolean {
    const [node] = pick(tables.nodes, [record.key])
    const [changed] = pick(tables.snapshots, [tables.versions.get(record.key)?.at(-1)?.snapshotId ?? 0])
    const isOld = (record.accessedAt ?? 0) < since && (changed?.createdAt ?? since) < since
    return isOld && (node?.tokens ?? 0) > tokens
  }
  return {
    coldest({ limit, below, isNew, unread }) {
      const all = cooling(unread ? Infinity : below).filter(({ told }) => !isNew || !told)
      const found = unread ? all.slice(0, unread.lookedAt).filter((one) => isLongUnread(one, unread)) : all
      return found.slice(0, limit).map(coldRow)
    },
    canCool: () => cooling().some(({ coldness }) => coldness !== -Infinity),
  }
}

export function mapReads(tables: Tables): Sync<MapReads> {
  const live = () => [...tables.documents.values()].filter(({ state }) => state === 'live')
  function lastChange(documentId: number): number {
    const own = [...tables.nodes.values()].filter((node) => node.documentId === documentId)
    return Math.max(0, ...own.map(({ key }) => tables.versions.get(key)?.at(-1)?.snapshotId ?? 0))
  }
  return {
    documentSizes: () =>
      live().flatMap((document) => {
        const { id, address, name, nodes, tokens } = sizeOf(tables, document)
        return nodes === 0 ? [] : [{ documentId: id, kind: address.kind, source: name, nodes, tokens }]
      }),
    countNodesOf: (ids, max) => ids.map((id) => Math.min(max, liveNodes(tables, id).length)),
    warmest(limit) {
      const isKnown = ({ key }: NodeRow): boolean =>
        pick(tables.heat, [key]).some(({ accesses, pinned }) => accesses > 0 || pinned)
      const rows = liveNodes(tables)
        .filter(isKnown)
        .map((node) => briefNode(tables, node))
      return rows.sort(by(({ temperature, key }) => [-temperature, key])).slice(0, limit)
    },
    changedLast(limit) {
      const rows = live().map(({ id, address }) => ({ name: shownName(address), snapshotId: lastChange(id) }))
      const changed = rows.filter(({ snapshotId }) => snapshotId > 0)
      return changed.sort(by(({ snapshotId, name }) => [-snapshotId, name])).slice(0, limit)
    },
  }
}

export function overviewOf(tables: Tables, thresholds: { hot: number; cold: number }): Overview {
  const { counters, snapshots, index } = tables
  const withPrefix = (prefix: string): Record<string, number> => {
    const own = [...counters].filter(([name, value]) => name.startsWith(prefix) && value !== 0)
    return Object.fromEntries(own.sort().map(([name, value]) => [name.slice(prefix.length), value]))
  }
  const [total, tokens, pending] = ['nodes', 'tokens', 'relations_pending'].map(
    (name) => counters.get(name) ?? 0,
  )
  return {
    nodes: { total: total ?? 0, byType: withPrefix('nodes.'), tokens: tokens ?? 0 },
    snapshots: { count: snapshots.size, head: headOf(tables) },
    temperature: temperatureOf(tables, thresholds),
    relations: { byOrigin: withPrefix('relations.'), pending: pending ?? 0 },
    indexRows: index.size,
  }
}

function temperatureOf(
  tables: Tables,
  { hot, cold }: { hot: number; cold: number },
): Overview['temperature'] {
  const keys = liveNodes(tables).map(({ key }) => key)
  const values = keys.map((key) => heatOf(tables, key)).sort((a, b) => a - b)
  return {
    avg: values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length),
    median: values[Math.floor(values.length / 2)] ?? 0,
    hot: values.filter((value) => value >= hot).length,
    cold: values.filter((value) => value < cold).length,
    pinned: pick(tables.heat, keys).filter(({ pinned }) => pinned).length,
  }
}
