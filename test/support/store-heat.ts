import type { TickInput } from '../../src/core/port/heat.ts'
import type { Store, WriteTx } from '../../src/core/port/store.ts'
import { tickHeat } from '../../src/core/rows/heat.ts'
import { writing } from './writing.ts'

export const NOON = 1_700_000_000_000
export const RATE = 0.05
const HOUR_MS = 3_600_000

/** From here on only ticks let time pass: thawing charges nothing, whenever the memory was made. */
export async function startClock(store: Store): Promise<void> {
  await writing(store, async (tx) => {
    await tickHeat(tx, { now: NOON, ratePerHour: RATE, enabled: false })
    await tickHeat(tx, { now: NOON, ratePerHour: RATE, enabled: true })
  })
}

/** A tick so many hours after `startClock`. */
export function tickAfter(store: Store, hours: number, other: Partial<TickInput> = {}): Promise<number> {
  return writing(store, (tx) => tickTx(tx, hours, other))
}

function tickTx(tx: WriteTx, hours: number, other: Partial<TickInput>): Promise<number> {
  return tickHeat(tx, { now: NOON + hours * HOUR_MS, ratePerHour: RATE, enabled: true, ...other })
}
