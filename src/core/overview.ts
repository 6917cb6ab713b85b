import type { Maintenance, Store } from './port/store.ts'

/** `remindb://overview` and `inspect --json`: the keys and their order are locked. */
export interface OverviewEnvelope {
  db_path: string
  db_bytes: number
  nodes: { total: number; by_type: Record<string, number>; tokens: number }
  snapshots: {
    count: number
    head_id: number
    cursor_hash: string
    latest_message: string
    latest_age_s: number
  }
  temperature: { avg: number; median: number; hot: number; cold: number; pinned: number }
  relations: { total: number; by_origin: Record<string, number>; pending: number }
  fts_rows: number
}

export interface OverviewDeps {
  store: Pick<Store, 'read'>
  maintenance: Pick<Maintenance, 'sizeBytes'>
  now: () => number
  dbPath: string
  thresholds: { hot: number; cold: number }
}

/** The state of the whole memory, from counters. */
export async function overview(deps: OverviewDeps): Promise<OverviewEnvelope> {
  const found = await deps.store.read((tx) => tx.overview(deps.thresholds))
  const { head } = found.snapshots
  const { byOrigin, pending } = found.relations
  return {
    db_path: deps.dbPath,
    db_bytes: await deps.maintenance.sizeBytes(),
    nodes: { total: found.nodes.total, by_type: found.nodes.byType, tokens: found.nodes.tokens },
    snapshots: {
      count: found.snapshots.count,
      head_id: head?.id ?? 0,
      cursor_hash: head?.cursorHash ?? '',
      latest_message: head?.message ?? '',
      latest_age_s: head ? Math.max(0, Math.floor((deps.now() - head.createdAt) / 1000)) : 0,
    },
    temperature: found.temperature,
    relations: {
      total: Object.values(byOrigin).reduce((sum, count) => sum + count, 0),
      by_origin: byOrigin,
      pending,
    },
    fts_rows: found.indexRows,
  }
}
