import { createNumberSet, type NumberSet } from '../../util/number-set.ts'
import { DAY_MS } from '../../util/text/duration.ts'
import { plural } from '../../util/text/units.ts'
import type { HeatClock } from '../port/heat.ts'
import type { StoredRows } from '../port/scan.ts'
import type { WriteTx } from '../port/store.ts'
import type { HeatPut } from '../port/write-set.ts'
import { coldnessOf, INITIAL_HEAT } from '../rows/coldness.ts'
import { pagesOf } from '../rows/stored-pages.ts'
import { type DoctorTools, type Finding, fail, pass, type RowChecks } from './check.ts'

type HeatRow = StoredRows['heat']

/** Checks that every live node has a valid heat and its place in the order of heat. */
export function heatCheck({ now }: Pick<DoctorTools, 'now'>): RowChecks {
  const live = createNumberSet()
  let clock: HeatClock | undefined
  let [found, impossible, misplaced] = [0, 0, 0]
  function finding(): Finding {
    const without = live.size() - found
    if (without > 0) return fail(`${plural(without, 'node has', 'nodes have')} no heat`)
    if (impossible > 0) return fail(`${plural(impossible, 'node has', 'nodes have')} an impossible heat`)
    if (misplaced > 0)
      return fail(`${plural(misplaced, 'node is', 'nodes are')} in the wrong place in the order of heat`)
    return clock && isAhead(clock, now)
      ? fail('the heat clock is ahead of time: nothing cools')
      : pass('every node has its heat')
  }
  return {
    see: {
      space(row) {
        clock = row.heat
      },
      nodes({ key, removedIn }) {
        if (removedIn === null) live.add(key)
      },
      heat(row) {
        const isLive = live.has(row.key)
        if (isLive) found++
        if (!isPossible(row, clock?.clock ?? 0)) impossible++
        if (isMisplaced(row, isLive)) misplaced++
      },
    },
    findings: { heat: finding },
  }
}

/** Includes types: the database accepts any value from a manual edit. */
export function isPossible(
  row: Pick<HeatRow, 'value' | 'clock'>,
  now: number,
): row is { value: number; clock: number } {
  const { value, clock } = row
  const isHeat = typeof value === 'number' && value >= 0 && value <= 1
  return isHeat && typeof clock === 'number' && clock <= now
}

type Placed = Pick<HeatRow, 'value' | 'clock' | 'pinned' | 'coldness'>

/** The logarithm may differ in its last digit between machines. */
export function isMisplaced(row: Placed, isLive: boolean): boolean {
  const right = placeOf(row, isLive)
  const { coldness } = row
  if (coldness === null || right === null) return coldness !== right
  return coldness !== right && !(Math.abs(coldness - right) < 1e-9)
}

/** Nodes that do not cool are not in the order. */
function placeOf({ value, clock, pinned }: Omit<Placed, 'coldness'>, isLive: boolean): number | null {
  return isLive && !pinned ? coldnessOf(Number(value), Number(clock)) : null
}

/** Nothing would cool until then. */
function isAhead({ tickedAt }: HeatClock, now: number): boolean {
  return !(tickedAt <= now + DAY_MS)
}

export async function healHeat(tx: WriteTx, { now }: Pick<DoctorTools, 'now'>): Promise<void> {
  const { heat: clock } = await tx.state()
  if (isAhead(clock, now)) await tx.commit({ heatClock: { ...clock, tickedAt: now } })
  const live = await liveKeys(tx)
  const found = createNumberSet()
  for await (const page of pagesOf(tx, 'heat')) {
    for (const { key } of page) found.add(key)
    await tx.commit({ heat: page.flatMap((row) => rightHeat(row, live.has(row.key), clock.clock) ?? []) })
  }
  const without = [...live.values()].filter((key) => !found.has(key))
  await tx.commit({ heat: without.map((key) => newHeat(key, clock.clock)) })
}

async function liveKeys(tx: WriteTx): Promise<NumberSet> {
  const keys = createNumberSet()
  for await (const page of pagesOf(tx, 'nodes'))
    for (const { key, removedIn } of page) if (removedIn === null) keys.add(key)
  return keys
}

/** The correct row; undefined: unchanged. Invalid heat becomes valid. */
export function rightHeat(row: HeatRow, isLive: boolean, now: number): HeatPut | undefined {
  const possible = isPossible(row, now) ? row : { value: nearest(row.value), clock: now }
  if (possible === row && !isMisplaced(row, isLive)) return undefined
  const { value, clock } = possible
  const coldness = placeOf({ ...row, value, clock }, isLive)
  return { ...row, value, clock, coldness, isNew: false }
}

function nearest(value: unknown): number {
  return typeof value === 'number' ? Math.max(0, Math.min(1, value)) : INITIAL_HEAT
}

function newHeat(key: number, clock: number): HeatPut {
  const unread = { pinned: false, accesses: 0, accessedAt: null, told: false }
  return {
    key,
    isNew: true,
    value: INITIAL_HEAT,
    clock,
    ...unread,
    coldness: coldnessOf(INITIAL_HEAT, clock),
  }
}
