import { DAY_MS, HOUR_MS } from '../../util/text/duration.ts'
import type { Touch } from '../port/doors.ts'
import type { Boost, Heat, HeatClock, HeatRecord, TickInput } from '../port/heat.ts'
import type { BriefRow } from '../port/nodes.ts'
import type { WriteTx } from '../port/store.ts'
import type { HeatPut } from '../port/write-set.ts'
import { coldnessOf } from './coldness.ts'

/** A node with its heat, for answers about cold nodes. */
export interface ColdRow {
  key: number
  id: string
  label: string
  source: string
  value: number
}

type HeatTx = Pick<WriteTx, 'state' | 'nodes' | 'commit'>

/** Maximum number of warmed nodes per document, from its beginning: a read must not cost the size of a document. */
const MAX_NODES = 500

/** Records changed in one set. */
const CHUNK = 2000

/** Changes the heat of live nodes, or pins or unpins them. */
export async function setHeat(tx: HeatTx, keys: readonly number[], heat: Partial<Heat>): Promise<void> {
  const { heat: clock } = await tx.state()
  for (let at = 0; at < keys.length; at += CHUNK) {
    const records = await tx.nodes({ keys: keys.slice(at, at + CHUNK) }, 'heatRecord')
    await tx.commit({ heat: records.map((record) => changed(withHeat(record, heat, clock))) })
  }
}

/** Gives every live node of these documents this heat. Returns how many changed. */
export async function seedHeat(tx: HeatTx, documentIds: readonly number[], value: number): Promise<number> {
  const { heat: clock } = await tx.state()
  let count = 0
  for (const document of documentIds) {
    const records = await tx.nodes({ document }, 'heatRecord')
    const others = records.filter((record) => heatNow(record, clock) !== value)
    if (others.length > 0)
      await tx.commit({ heat: others.map((record) => changed(withHeat(record, { value }, clock))) })
    count += others.length
  }
  return count
}

function changed(record: HeatRecord): HeatPut {
  return { isNew: false, ...record }
}

/** Warms live nodes that were read, up to 1, and counts the accesses. Ignores other ids. */
export async function boostHeat(tx: HeatTx, boosts: readonly Boost[], at: number): Promise<void> {
  if (boosts.length === 0) return
  const keys = boosts.flatMap(({ key }) => key ?? [])
  const select = keys.length === boosts.length ? { keys } : { ids: boosts.map(({ id }) => id) }
  const [{ heat: clock }, records] = await Promise.all([tx.state(), tx.nodes(select, 'heatRecord')])
  const byId = new Map(records.map((record) => [record.id, record]))
  for (const { id, by, times } of boosts) {
    const record = byId.get(id)
    if (record) byId.set(id, { ...record, ...warmed(record, { by, times, at }, clock) })
  }
  await tx.commit({ heat: [...byId.values()].map(changed) })
}

/** Counts accesses of documents through their door, and warms their nodes by `by` for each. */
export async function touchDocuments(
  tx: HeatTx,
  touches: readonly Touch[],
  { at, by }: { at: number; by: number },
): Promise<void> {
  for (const { documentId, times } of touches) {
    const [{ heat: clock }, records] = await Promise.all([
      tx.state(),
      tx.nodes({ document: documentId, limit: MAX_NODES }, 'heatRecord'),
    ])
    const heat = records.map((record) => changed(warmed(record, { by: by * times, times, at }, clock)))
    await tx.commit({ accesses: [{ documentId, times, at }], heat })
  }
}

/** Advances time for all nodes. Returns how many hours were charged. */
export async function tickHeat(tx: HeatTx, input: TickInput): Promise<number> {
  const { heat: before } = await tx.state()
  const { clock, hours } = ticked(before, input)
  if (clock === before) return hours
  const cools = hours > 0 && input.ratePerHour > 0 && (await canCool(tx))
  await tx.commit({ heatClock: clock, changes: cools ? ['tick'] : [] })
  return hours
}

/** Whether any node has heat to lose. */
async function canCool(tx: HeatTx): Promise<boolean> {
  const [warmest] = await tx.nodes({ order: 'warmest', pinned: false, limit: 1 }, 'facts')
  return warmest !== undefined && warmest.temperature > 0
}

/**
 * Nodes below `below`, coldest first, each once: it is returned again only after it was warmed above the threshold and
 * fell again. Costs what it returns.
 */
export async function takeNewlyCold(tx: HeatTx, page: { below: number; limit: number }): Promise<ColdRow[]> {
  const newlyCold = tx.nodes({ order: 'coldest', isNew: true, ...page }, 'brief')
  const [{ heat: clock }, rows] = await Promise.all([tx.state(), newlyCold])
  const keys = rows.map(({ key }) => key)
  const records = keys.length === 0 ? [] : await tx.nodes({ keys }, 'heatRecord')
  const heat = records.map((record) => changed({ ...record, told: true }))
  const heatClock = clock.coldBelow === page.below ? undefined : { ...clock, coldBelow: page.below }
  if (heat.length > 0 || heatClock) await tx.commit({ heat, ...(heatClock && { heatClock }) })
  return rows.map(toCold)
}

/** Decay is lazy: the stored heat, cooled by how far the heat clock has advanced since. Pinned nodes keep theirs. */
export function heatNow(
  { value, clock, pinned }: Pick<HeatRecord, 'value' | 'clock' | 'pinned'>,
  now: HeatClock,
): number {
  return pinned ? value : value * Math.exp(clock - now.clock)
}

export function withHeat(record: HeatRecord, { value, pinned }: Partial<Heat>, now: HeatClock): HeatRecord {
  return withColdness(
    { ...record, value: value ?? heatNow(record, now), clock: now.clock, pinned: pinned ?? record.pinned },
    now,
  )
}

export function warmed(
  record: HeatRecord,
  { by, times, at }: { by: number; times: number; at: number },
  now: HeatClock,
): HeatRecord {
  const value = Math.min(1, heatNow(record, now) + by)
  const accesses = record.accesses + times
  return withColdness({ ...record, value, clock: now.clock, accesses, accessedAt: at }, now)
}

/** After every change of a value: its place in the order, and whether it may be reported again. */
function withColdness(record: HeatRecord, { coldBelow }: HeatClock): HeatRecord {
  const { value, clock, pinned, told } = record
  return { ...record, coldness: pinned ? null : coldnessOf(value, clock), told: told && value < coldBelow }
}

/**
 * Time is charged by the wall clock, independent of who ticks and how often. Returns the same clock if nothing needs to
 * be stored.
 */
export function ticked(
  clock: HeatClock,
  { now, ratePerHour, enabled }: TickInput,
): { clock: HeatClock; hours: number } {
  if (!enabled && clock.frozen) return { clock, hours: 0 }
  // A tick with a wrong clock: nothing would cool until that time.
  const isFarAhead = clock.tickedAt - now > DAY_MS
  // Time while frozen, or before the first tick, is not charged.
  if (!enabled || clock.frozen || isFarAhead)
    return { clock: { ...clock, tickedAt: now, frozen: !enabled }, hours: 0 }
  const hours = (now - clock.tickedAt) / HOUR_MS
  if (hours <= 0) return { clock, hours: 0 }
  return { clock: { ...clock, clock: clock.clock + hours * ratePerHour, tickedAt: now }, hours }
}

export function toCold({ key, id, label, source, temperature: value }: BriefRow): ColdRow {
  return { key, id, label, source, value }
}
