import type { TickInput } from '../port/heat.ts'
import type { Operation, ReadTx, Store, WriteTx } from '../port/store.ts'
import type { ColdRow } from '../rows/heat.ts'
import { takeNewlyCold, tickHeat } from '../rows/heat.ts'
import { acquireLease, describeLease, findLease, releaseLease } from '../rows/leases.ts'

export const TICK_LEASE = 'tick'

export interface TickSettings extends TickInput {
  /** Who is ticking: several processes share the job, one at a time. */
  holder: string
  leaseMs: number
  /** Take the nodes that fell below a heat, if anybody wants to know. */
  report: { below: number; limit: number } | null
}

export interface TickResult {
  /** Hours of cooling that were charged; null when another process has the job and nothing was done. */
  hours: number | null
  /** What became cold, coldest first: each node is in one answer for each time it falls. */
  cold: ColdRow[]
}

/** What became cold, for the clients of every process on the memory. */
export interface ColdReport {
  /** Milliseconds since 1970; tells one report from the next. */
  at: number
  /** Coldest first; `temperature` as it was then. */
  nodes: { id: string; label: string; file: string; temperature: number }[]
}

/** As the lease has it. No labels: whatever is erased later must not stay here. */
interface StoredReport {
  at: number
  nodes: { id: string; temperature: number }[]
}

/** Lets time pass for every node, unless another process does. A frozen memory reports nothing. */
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
    // Who does it only once keeps nobody else from it, whatever clocks do; what it found is for its caller alone.
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

/** The last report of whoever ticks now; undefined when there was none. Nodes that are gone since are left out. */
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
