import { cursorNumbers, cut, type NextPage, type PageInput, pageOf } from './page.ts'
import type { NodeHeatRow } from './port/nodes.ts'
import type { HeatSummary, ReadTx, Store } from './port/store.ts'

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

/** The summary is that of all nodes, and stands on the first page only: to make it costs the memory, not the page. */
export interface TemperaturePage extends Omit<TemperatureEnvelope, 'summary'>, NextPage {
  summary: TemperatureSummary | null
}

export interface TemperatureDeps {
  store: Pick<Store, 'read'>
  /** As the settings are now. */
  thresholds: () => { hot: number; cold: number }
}

const BATCH = 5000

/** How warm every node is, without loading any text. */
export function temperature({ store, thresholds }: TemperatureDeps): Promise<TemperatureEnvelope> {
  const { hot, cold } = thresholds()
  return store.read(async (tx) => {
    const nodes = (await allHeat(tx)).map(toNode)
    const summary = await summarize(tx, { hot, cold })
    // Counted from what is shown: whoever compares it with the thresholds must come to the same numbers.
    const count = (isMeant: (node: (typeof nodes)[number]) => boolean) => nodes.filter(isMeant).length
    return {
      summary: {
        ...summary,
        hot: count((node) => node.temperature >= hot),
        cold: count((node) => node.temperature < cold),
        pinned: count((node) => node.pinned),
      },
      nodes,
    }
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
    return {
      summary: after === undefined ? await summarize(tx, thresholds()) : null,
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

async function summarize(
  tx: ReadTx,
  { hot, cold }: { hot: number; cold: number },
): Promise<TemperatureSummary> {
  const { heat } = await tx.summary({ hot, cold })
  return {
    avg: heat.avg,
    median: heat.median,
    hot: heat.hot,
    cold: heat.cold,
    pinned: heat.pinned,
    cold_threshold: cold,
    hot_threshold: hot,
  }
}

function toNode({ id, label, value, pinned }: NodeHeatRow): TemperatureEnvelope['nodes'][number] {
  return { id, label, temperature: value, pinned }
}
