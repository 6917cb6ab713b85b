import type { HeatSummary, Maintenance, Store } from '../port/store.ts'
import { countedIn } from '../rows/counters.ts'
import { storedCounters } from '../rows/stored-pages.ts'

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
  temperature: HeatSummary
  relations: { total: number; by_origin: Record<string, number>; pending: number }
  fts_rows: number
}

/** The part of an overview that takes the same time in a memory of any size. */
export type OverviewCounts = Pick<OverviewEnvelope, 'db_path' | 'nodes'>

export interface OverviewDeps {
  store: Pick<Store, 'read'>
  maintenance: Pick<Maintenance, 'sizeBytes'>
  now: () => number
  dbPath: string
  thresholds: { hot: number; cold: number }
}

/** Reads nothing of the nodes themselves, unlike their heat in an overview. */
export async function overviewCounts({
  store,
  dbPath,
}: Pick<OverviewDeps, 'store' | 'dbPath'>): Promise<OverviewCounts> {
  const { nodes } = countedIn(Object.fromEntries(await store.read(storedCounters)))
  return { db_path: dbPath, nodes: { total: nodes.total, by_type: nodes.byType, tokens: nodes.tokens } }
}

/** The state of the whole memory. */
export async function overview(deps: OverviewDeps): Promise<OverviewEnvelope> {
  const [{ head }, summary] = await deps.store.read((tx) =>
    Promise.all([tx.state(), tx.summary(deps.thresholds)]),
  )
  const { nodes, relations } = countedIn(summary.counters)
  const { avg, median, hot, cold, pinned } = summary.heat
  return {
    db_path: deps.dbPath,
    db_bytes: await deps.maintenance.sizeBytes(),
    nodes: { total: nodes.total, by_type: nodes.byType, tokens: nodes.tokens },
    snapshots: {
      count: summary.snapshots,
      head_id: head?.id ?? 0,
      cursor_hash: head?.cursorHash ?? '',
      latest_message: head?.message ?? '',
      latest_age_s: head ? Math.max(0, Math.floor((deps.now() - head.createdAt) / 1000)) : 0,
    },
    temperature: { avg, median, hot, cold, pinned },
    relations: {
      total: Object.values(relations.byOrigin).reduce((sum, count) => sum + count, 0),
      by_origin: relations.byOrigin,
      pending: relations.pending,
    },
    fts_rows: summary.indexRows,
  }
}
