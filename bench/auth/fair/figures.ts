import { percentile } from '../../../eval/metrics.ts'
import { milliseconds, table, type Verdict, verdict } from '../../engine/table.ts'
import { median } from '../../engine/timing.ts'
import type { OrdinaryReport } from './ordinary.ts'

const WHO = ['server', 'main', 'ordinary', 'abuser', 'others'] as const
type Cores = Record<(typeof WHO)[number], number>

/** What happened while the ordinary clients made their calls. */
export interface Round {
  times: OrdinaryReport['times']
  /** Of the abuser: how often each status came. */
  answers: Record<string, number>
  seconds: number
  /** Cores that were busy: with the server, of it with its main thread, with either kind of clients, with other programs. */
  cores: Cores
}

export interface Pair {
  quiet: Round
  abused: Round
}

interface Times {
  p50Ms: number
  p99Ms: number
}

export interface FairFigures {
  name: string
  /** Medians of the rounds. */
  quiet: Times
  abused: Times
  /** Of the abused round and the quiet one before it: medians. */
  p50Ratio: number
  p99Ratio: number
  /** p99 of each tool, medians of the rounds. */
  tools: Record<string, { quietMs: number; abusedMs: number }>
  cores: Cores
  /** Of the abuser. */
  answersPerSecond: Record<string, number>
}

/** Of all rounds, the half in which other programs did least: they are as likely to be in either kind. */
export function figuresOf(name: string, rounds: readonly Pair[]): FairFigures {
  const disturbance = ({ quiet, abused }: Pair): number => Math.max(quiet.cores.others, abused.cores.others)
  const pairs = rounds
    .toSorted((one, other) => disturbance(one) - disturbance(other))
    .slice(0, Math.ceil(rounds.length / 2))
  const medianOf = (value: (pair: Pair) => number): number => median(pairs.map(value))
  const statuses = [...new Set(pairs.flatMap(({ abused }) => Object.keys(abused.answers)))]
  const tools = [...new Set(pairs.flatMap(({ quiet }) => quiet.times.map((one) => one.name)))].sort()
  return {
    name,
    quiet: {
      p50Ms: medianOf(({ quiet }) => at(quiet, 0.5)),
      p99Ms: medianOf(({ quiet }) => at(quiet, 0.99)),
    },
    abused: {
      p50Ms: medianOf(({ abused }) => at(abused, 0.5)),
      p99Ms: medianOf(({ abused }) => at(abused, 0.99)),
    },
    p50Ratio: medianOf(({ quiet, abused }) => at(abused, 0.5) / at(quiet, 0.5)),
    p99Ratio: medianOf(({ quiet, abused }) => at(abused, 0.99) / at(quiet, 0.99)),
    tools: Object.fromEntries(
      tools.map((tool) => [
        tool,
        {
          quietMs: medianOf(({ quiet }) => at(quiet, 0.99, tool)),
          abusedMs: medianOf(({ abused }) => at(abused, 0.99, tool)),
        },
      ]),
    ),
    cores: Object.fromEntries(WHO.map((who) => [who, medianOf(({ abused }) => abused.cores[who])])) as Cores,
    answersPerSecond: Object.fromEntries(
      statuses.map((status) => [
        status,
        medianOf(({ abused }) => (abused.answers[status] ?? 0) / abused.seconds),
      ]),
    ),
  }
}

function at({ times }: Round, share: number, tool?: string): number {
  const chosen = tool === undefined ? times : times.filter(({ name }) => name === tool)
  return percentile(
    chosen.map(({ ms }) => ms),
    share,
  )
}

export function judgeFairness(figures: readonly FairFigures[]): Verdict[] {
  return figures.map(({ name, p99Ratio }) =>
    verdict(`beside an abuser (${name}) p99 of ordinary clients at most doubles`, p99Ratio, 2, ' times'),
  )
}

export function fairLines(figures: FairFigures[]): string[] {
  const both = ({ p50Ms, p99Ms }: Times): string => `${milliseconds(p50Ms)}, ${milliseconds(p99Ms)}`
  return table(figures, {
    abuser: ({ name }) => name,
    'alone p50, p99': ({ quiet }) => both(quiet),
    'beside it': ({ abused }) => both(abused),
    'p50 ratio': ({ p50Ratio }) => p50Ratio.toFixed(2),
    'p99 ratio': ({ p99Ratio }) => p99Ratio.toFixed(2),
    'answers/s': ({ answersPerSecond }) =>
      Object.entries(answersPerSecond)
        .map(([status, count]) => `${status}: ${count.toFixed(0)}`)
        .join(', '),
    cores: ({ cores }) => WHO.map((who) => `${who} ${cores[who].toFixed(2)}`).join(', '),
  })
}
