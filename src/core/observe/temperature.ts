import { cursorNumbers, cut, type NextPage, type PageInput, pageOf } from '../page.ts'
import type { NodeHeatRow } from '../port/nodes.ts'
import type { HeatSummary, ReadTx, Store } from '../port/store.ts'
import { heatSummary } from '../rows/heat-summary.ts'

/** `remindb://temperature`: the keys and their order are locked. */
export interface TemperatureEnvelope {
  summary: TemperatureSummary
  /** Every node, by key. */
  nodes: { id: string; label: string; temperature: number; pinned: boolean }[]
}

export interface TemperatureSummary extends HeatSummary {
  cold_threshold: number
  hot_threshold: number
}

/** The summary covers all nodes and is only on the first page: computing it costs the memory, not the page. */
export interface TemperaturePage extends Omit<TemperatureEnvelope, 'summary'>, NextPage {
  summary: TemperatureSummary | null
}

export interface TemperatureDeps {
  store: Pick<Store, 'read'>
  /** The current settings. */
  thresholds: () => { hot: number; cold: number }
}

const BATCH = 5000

/** The heat of every node, without reading texts. */
export function temperature({ store, thresholds }: TemperatureDeps): Promise<TemperatureEnvelope> {
  const limits = thresholds()
  return store.read(async (tx) => {
    const rows = await allHeat(tx)
    // Computed from the rounded values: a reader who compares them with the thresholds must get the same numbers.
    return { summary: toSummary(heatSummary(rows, limits), limits), nodes: rows.map(toNode) }
  })
}

export async function temperaturePage(
  { store, thresholds }: TemperatureDeps,
  input: PageInput,
): Promise<TemperaturePage> {
  const { limit, cursor } = pageOf(input)
  const [after] = cursor === undefined ? [] : cursorNumbers(cursor, 1)
  return store.read(async (tx) => {
    const rows = await tx.nodes({ after: after ?? 0, limit: limit + 1 }, 'heat')
    const page = cut(rows, limit, ({ key }) => String(key))
    const limits = thresholds()
    const isFirst = after === undefined
    return {
      summary: isFirst ? toSummary((await tx.summary(limits)).heat, limits) : null,
      nodes: page.rows.map(toNode),
      next_cursor: page.next,
    }
  })
}

async function allHeat(tx: ReadTx): Promise<NodeHeatRow[]> {
  const rows: NodeHeatRow[] = []
  for (;;) {
    const page = await tx.nodes({ after: rows.at(-1)?.key ?? 0, limit: BATCH }, 'heat')
    for (const row of page) rows.push(row)
    if (page.length < BATCH) return rows
  }
}

function toSummary(
  { avg, median, hot, cold, pinned }: HeatSummary,
  thresholds: { hot: number; cold: number },
): TemperatureSummary {
  const counted = { avg, median, hot, cold, pinned }
  return { ...counted, cold_threshold: thresholds.cold, hot_threshold: thresholds.hot }
}

function toNode({ id, label, value, pinned }: NodeHeatRow): TemperatureEnvelope['nodes'][number] {
  return { id, label, temperature: value, pinned }
}
