import { percentile } from '../../eval/metrics.ts'
import { type Columns, milliseconds, table, type Verdict, verdict } from '../engine/table.ts'
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
  /** The first request to others, while those that were open are closed; null: there were none. */
  churned: Times | null
}

const TIMES = ['cold', 'warm', 'churned', 'write', 'search'] as const
export type Lists = Record<(typeof TIMES)[number], number[]>
const MEGABYTES = ['startMb', 'activeMb', 'churnedMb', 'peakMb'] as const

export function timesOf({ cold, warm, churned, write, search }: Lists): Pick<ServerFigures, keyof Lists> {
  return {
    cold: timesIn(cold),
    warm: timesIn(warm),
    churned: churned.length === 0 ? null : timesIn(churned),
    write: timesIn(write),
    search: timesIn(search),
  }
}

function timesIn(values: readonly number[]): Times {
  return { p50Ms: percentile(values, 0.5), p99Ms: percentile(values, 0.99) }
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

interface Row {
  name: string
  figures: ServerFigures
}

export function serverLines(rows: Row[]): string[] {
  const columns: Columns<Row> = { '': ({ name }) => name }
  for (const name of TIMES) columns[name] = ({ figures }) => shown(figures[name])
  for (const name of MEGABYTES) columns[name] = ({ figures }) => `${figures[name].toFixed(0)} MB`
  return table(rows, columns)
}

function shown(times: Times | null): string {
  return times ? `${milliseconds(times.p50Ms)} / ${milliseconds(times.p99Ms)}` : '-'
}
