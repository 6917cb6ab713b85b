import { percentile } from '../../eval/metrics.ts'
import { type Clock, timed } from './timing.ts'

/** One operation with many different inputs, beside its floor. */
export interface Case<I = unknown> {
  name: string
  inputs: I[]
  /** Returns how much was found, so that a figure for an empty answer shows. */
  ours: (input: I) => Promise<number>
  floor: (input: I) => unknown
  /** Comes before each, and is not measured. */
  before?: () => unknown
}

/** One operation in one memory. */
export interface Measured {
  name: string
  runs: number
  /** How much an answer holds, in the middle. */
  found: number
  p50Ms: number
  p99Ms: number
  floorP50Ms: number
  floorP99Ms: number
}

/** A case is asked until this is over, but at least so often. */
const PASS_MS = 4000
const MIN_RUNS = 11

/** The first pass warms: what is then measured has been asked once before, of both, and is in memory. */
export async function sideBySide<I>(
  { name, inputs, ours, floor, before }: Case<I>,
  { clock }: { clock?: Clock | undefined } = {},
): Promise<Measured> {
  const deadline = performance.now() + PASS_MS
  const found: number[] = []
  for (const input of inputs) {
    if (found.length >= MIN_RUNS && performance.now() > deadline) break
    floor(input)
    found.push(await ours(input))
  }
  const oursMs: number[] = []
  const floorMs: number[] = []
  const both = [
    { times: oursMs, ask: ours },
    { times: floorMs, ask: floor },
  ]
  for (const [at, input] of inputs.slice(0, found.length).entries()) {
    // Side by side, so that a slow moment of the machine meets both; in turns, so that neither finds its rows at hand.
    for (const { times, ask } of at % 2 === 0 ? both : both.toReversed()) {
      await before?.()
      times.push(await timed(() => ask(input), clock))
    }
  }
  return { name, runs: found.length, found: percentile(found, 0.5), ...percentiles(oursMs, floorMs) }
}

function percentiles(oursMs: number[], floorMs: number[]) {
  return {
    p50Ms: percentile(oursMs, 0.5),
    p99Ms: percentile(oursMs, 0.99),
    floorP50Ms: percentile(floorMs, 0.5),
    floorP99Ms: percentile(floorMs, 0.99),
  }
}
