import type { TickInput } from '../port/heat.ts'
import type { Operation, ReadTx, Store, WriteTx } from '../port/store.ts'
import type { ColdRow } from '../rows/heat.ts'
import { takeNewlyCold, tickHeat } from '../rows/heat.ts'
import { acquireLease, describeLease, findLease, releaseLease } from '../rows/leases.ts'

export const TICK_LEASE = 'tick'

export interface TickSettings extends TickInput {
  /** The ticking process: several share the job, one at a time. */
  holder: string
  leaseMs: number
  /** Report nodes that fell below a heat; null: no report. */
  report: { below: number; limit: number } | null
}

export interface TickResult {
  /** Hours of cooling that were applied; null if another process holds the job and nothing was done. */
  hours: number | null
  /** Nodes that became cold, coldest first: each is reported once every time it falls. */
  cold: ColdRow[]
}

/** Nodes that became cold, for the clients of every process on the memory. */
export interface ColdReport {
  /** Milliseconds since 1970; identifies the report. */
  at: number
  /** Coldest first; `temperature` as of the report. */
  nodes: { id: string; label: string; file: string; temperature: number }[]
}

/** As stored in the lease. No labels: erased content must not stay here. */
interface StoredReport {
  at: number
  nodes: { id: string; temperature: number }[]
}

/** Advances time for every node, unless another process does. A frozen memory reports nothing. */
export function tick(store: Store, settings: TickSettings): Promise<TickResult> {
  return store.write(letTimePass, settings)
}

export const letTimePass: Operation<TickSettings, TickResult> = {
  name: 'tick',
  async run(tx, settings) {
    const { holder, leaseMs: ttlMs, report, now, enabled } = settings
    const isMine = await acquireLease(tx, { name: TICK_LEASE, holder, ttlMs, now })
    if (!isMine) return { hours: null, cold: [] }
    const hours = await tickHeat(tx, settings)
    const cold = report && enabled ? await takeNewlyCold(tx, report) : []
    // A one-time caller must not keep the job, whatever the clocks; its result is for its caller only.
    if (ttlMs === 0) await releaseLease(tx, { name: TICK_LEASE, holder })
    else if (cold.length > 0) await publish(tx, holder, { at: now, nodes: cold.map(toStored) })
    return { hours, cold }
  },
}

function toStored({ id, value }: ColdRow): StoredReport['nodes'][number] {
  return { id, temperature: value }
}

async function publish(tx: WriteTx, holder: string, report: StoredReport): Promise<void> {
  await describeLease(tx, { name: TICK_LEASE, holder, detail: JSON.stringify(report), change: 'cold' })
}

/** The last report of the current holder; undefined if there was none. Removed nodes are left out. */
export function findColdReport(store: Pick<Store, 'read'>, now: number): Promise<ColdReport | undefined> {
  return store.read(async (tx) => {
    const lease = await findLease(tx, TICK_LEASE, now)
    if (!lease?.detail) return undefined
    const { at, nodes } = JSON.parse(lease.detail) as StoredReport
    return { at, nodes: await named(tx, nodes) }
  })
}

async function named(tx: ReadTx, nodes: StoredReport['nodes']): Promise<ColdReport['nodes']> {
  const rows = new Map(
    (await tx.nodes({ ids: nodes.map(({ id }) => id) }, 'outline')).map((row) => [row.id, row]),
  )
  return nodes.flatMap(({ id, temperature }) => {
    const row = rows.get(id)
    return row ? [{ id, label: row.label, file: row.source, temperature }] : []
  })
}
