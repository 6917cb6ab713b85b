import type { Measured } from '../engine/side-by-side.ts'
import { type Columns, milliseconds, table, type Verdict, verdict, verdictLines } from '../engine/table.ts'
import { FOUR_FREQUENT } from './cases.ts'
import type { Limits } from './limits.ts'

export interface Found {
  size: string
  nodes: number
  /** That lead somewhere. */
  links: number
  /** Processes that wanted the machine's cores in the last minute, this one among them: above their number, times are not to be trusted. */
  load: number
  measured: Measured[]
  limits: Limits
}

const MAX_RATIO = 2
const MAX_GROWTH = 3
const MAX_FREQUENT_MS = 15
/** Where growth is judged from, and where four frequent words are. */
const BASE = '100k'

export function judge(all: readonly Found[]): Verdict[] {
  return [...judgeRatios(all), ...judgeFrequent(all), ...judgeGrowth(all), ...judgeLimits(all)]
}

function judgeRatios(all: readonly Found[]): Verdict[] {
  return all.flatMap(({ size, measured }) =>
    measured.map((one) =>
      verdict(
        `${one.name} at ${size} ≤ ${MAX_RATIO} × its floor`,
        one.p50Ms / one.floorP50Ms,
        MAX_RATIO,
        '×',
      ),
    ),
  )
}

function judgeFrequent(all: readonly Found[]): Verdict[] {
  const one = measuredAt(all, BASE, FOUR_FREQUENT)
  if (!one) return []
  const beside = `(plain OR takes ${milliseconds(one.floorP50Ms)})`
  return [
    verdict(
      `${FOUR_FREQUENT} at ${BASE} ≤ ${MAX_FREQUENT_MS} ms ${beside}`,
      one.p50Ms,
      MAX_FREQUENT_MS,
      ' ms',
    ),
  ]
}

/** From the base to each larger memory. Where the floor grows more than is allowed, ours may grow as much as the floor. */
function judgeGrowth(all: readonly Found[]): Verdict[] {
  const base = all.find(({ size }) => size === BASE)
  const larger = all.filter(({ nodes }) => base && nodes > base.nodes)
  return larger.flatMap(({ size, measured }) =>
    measured.flatMap((one) => {
      const before = measuredAt(all, BASE, one.name)
      if (!before) return []
      const floorGrowth = one.floorP50Ms / before.floorP50Ms
      const limit = Math.max(MAX_GROWTH, floorGrowth)
      const target = `${one.name} at ${size} / at ${BASE} ≤ ${limit.toFixed(2)} (the floor: ${floorGrowth.toFixed(2)}×)`
      return [verdict(target, one.p50Ms / before.p50Ms, limit, '×')]
    }),
  )
}

function judgeLimits(all: readonly Found[]): Verdict[] {
  return all.map(({ size, limits: { checked, differing } }) =>
    verdict(
      `answers at limit k are the first k at ${size}: ${checked} compared, differing ≤ 0`,
      differing,
      0,
      '',
    ),
  )
}

function measuredAt(all: readonly Found[], size: string, name: string): Measured | undefined {
  return all.find((found) => found.size === size)?.measured.find((one) => one.name === name)
}

const COLUMNS: Columns<Measured> = {
  operation: ({ name }) => name,
  p50: ({ p50Ms }) => milliseconds(p50Ms),
  p99: ({ p99Ms }) => milliseconds(p99Ms),
  'floor p50': ({ floorP50Ms }) => milliseconds(floorP50Ms),
  'floor p99': ({ floorP99Ms }) => milliseconds(floorP99Ms),
  ratio: ({ p50Ms, floorP50Ms }) => `${(p50Ms / floorP50Ms).toFixed(2)}×`,
  found: ({ found }) => found,
  runs: ({ runs }) => runs,
}

export function figureLines(all: readonly Found[], verdicts: Verdict[]): string[] {
  const tables = all.flatMap(({ size, nodes, links, load, measured }) => [
    `${size}: ${nodes} nodes, ${links} links; warm caches, load ${load.toFixed(1)}`,
    ...table(measured, COLUMNS),
    '',
  ])
  return [...tables, ...verdictLines(verdicts)]
}
