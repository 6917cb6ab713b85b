import { type Columns, milliseconds, table, type Verdict, verdict, verdictLines } from '../engine/table.ts'

/** What both sides are given. */
export interface Plan {
  /** Where the files are. */
  folder: string
  spaces: number
  /** How many are open at once. */
  active: number
  /** How often each of them is written to and searched. */
  rounds: number
  /** How many others are opened after that, each in place of the one that has been open for longest. */
  churn: number
}

export interface Times {
  p50Ms: number
  p99Ms: number
}

/** What a side prints. */
export interface Figures {
  /** With everything loaded, and one space opened and closed. */
  startBytes: number
  /** With all active spaces open, written to and searched. */
  activeBytes: number
  churnedBytes: number
  peakBytes: number
  open: Times
  /** The same with the first search. */
  openAndSearch: Times
  write: Times
  search: Times
  /** With eight calls at once. */
  busyWrite: Times
  busySearch: Times
  /** While others are closed. */
  churnedOpen: Times
  /** Of one core, while all active spaces are watched and nothing happens. */
  idlePercent: number
}

export function judge(ours: Figures): Verdict[] {
  return [
    verdict('all of it within 1 GB', ours.peakBytes / 1e6, 1000, ' MB'),
    verdict('a cold space within 30 ms at p50', ours.openAndSearch.p50Ms, 30, ' ms'),
  ]
}

type Row = { name: string; ours: Figures; floor: Figures }

export function figureLines(ours: Figures, floor: Figures, verdicts: Verdict[]): string[] {
  const times = [
    ...(['open', 'openAndSearch', 'churnedOpen', 'write', 'search'] as const),
    ...(['busyWrite', 'busySearch'] as const),
  ]
  const bytes = ['startBytes', 'activeBytes', 'churnedBytes', 'peakBytes'] as const
  const columns = (show: (figures: Figures, name: never) => string): Columns<Row> => ({
    '': ({ name }) => name,
    ours: ({ name, ours }) => show(ours, name as never),
    floor: ({ name, floor }) => show(floor, name as never),
  })
  const rows = (names: readonly string[]): Row[] => names.map((name) => ({ name, ours, floor }))
  const shownTimes = (figures: Figures, name: (typeof times)[number]): string =>
    `${milliseconds(figures[name].p50Ms)} / ${milliseconds(figures[name].p99Ms)}`
  const shownBytes = (figures: Figures, name: (typeof bytes)[number]): string =>
    `${(figures[name] / 1e6).toFixed(0)} MB`
  return [
    ...table(rows(times), columns(shownTimes)),
    ...table(rows(bytes), columns(shownBytes)),
    `idle: ${ours.idlePercent.toFixed(2)} % of one core, floor ${floor.idlePercent.toFixed(2)} %`,
    ...verdictLines(verdicts),
  ]
}
