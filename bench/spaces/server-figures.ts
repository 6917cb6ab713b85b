import { percentile } from '../../eval/metrics.ts'
import { milliseconds, table, type Verdict, verdict } from '../engine/table.ts'
import type { Times } from './figures.ts'

/** What a server of many spaces takes, as its clients and the system see it. */
export interface ServerFigures {
  /** With everything loaded and one space open. */
  startMb: number
  /** With all active spaces open, written to and searched. */
  activeMb: number
  /** After more spaces than may be open. */
  churnedMb: number
  peakMb: number
  /** The first request to a space, a search. */
  cold: Times
  /** The same again: what is no part of opening. */
  warm: Times
  write: Times
  search: Times
  /** The first request to others, while those that were open are closed. */
  churned: Times
}

const TIMES = ['cold', 'warm', 'churned', 'write', 'search'] as const
const MEGABYTES = ['startMb', 'activeMb', 'churnedMb', 'peakMb'] as const

export function timesOf(lists: Record<string, readonly number[]>): Record<(typeof TIMES)[number], Times> {
  const timesIn = (values: readonly number[] = []): Times => ({
    p50Ms: percentile(values, 0.5),
    p99Ms: percentile(values, 0.99),
  })
  return {
    ...{ cold: timesIn(lists.cold), warm: timesIn(lists.warm), churned: timesIn(lists.churned) },
    ...{ write: timesIn(lists.write), search: timesIn(lists.search) },
  }
}

export function judgeServer(active: ServerFigures): Verdict[] {
  return [
    verdict('the server within 1 GB', active.peakMb, 1000, ' MB'),
    verdict('its first answer of a cold space within 30 ms at p50', active.cold.p50Ms, 30, ' ms'),
  ]
}

export function judgePrincipals(principals: ServerFigures, count: number): Verdict[] {
  return [verdict(`${count} principals on ${count} spaces within 1 GB`, principals.peakMb, 1000, ' MB')]
}

export function serverLines(sides: { name: string; figures: ServerFigures }[]): string[] {
  const columns = {
    '': ({ name }: { name: string }) => name,
    ...Object.fromEntries(
      TIMES.map((name) => [
        name,
        ({ figures }: (typeof sides)[number]) =>
          `${milliseconds(figures[name].p50Ms)} / ${milliseconds(figures[name].p99Ms)}`,
      ]),
    ),
    ...Object.fromEntries(
      MEGABYTES.map((name) => [
        name,
        ({ figures }: (typeof sides)[number]) => `${figures[name].toFixed(0)} MB`,
      ]),
    ),
  }
  return table(sides, columns)
}
