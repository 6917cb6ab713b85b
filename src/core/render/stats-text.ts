import { printable } from '../../util/text/printable.ts'
import { abbreviate, formatAge, formatSize, plural } from '../../util/text/units.ts'
import { escapeNodeName } from '../answer-lines.ts'
import type { OverviewEnvelope } from '../observe/overview.ts'
import { type Palette, PLAIN_PALETTE } from '../palette.ts'
import type { HistoryCost } from '../port/history.ts'
import type { ColdRow } from '../rows/heat.ts'
import { cut } from './versions-text.ts'

type Branch = [name: string, value: string]

export interface Thresholds {
  hot: number
  cold: number
}

/** The numbers of a memory for an agent: the layout is part of the tool. */
export function statsLines(overview: OverviewEnvelope, thresholds: Thresholds): string[] {
  const { db_path, db_bytes, nodes } = overview
  return [
    `Database: ${printable(db_path)} (${formatSize(db_bytes)})`,
    titled('Nodes', `${nodes.total} (${plural(nodes.tokens, 'token')})`),
    ...bodyLines(overview, [`hot (>=${thresholds.hot})`, `cold (<${thresholds.cold})`], PLAIN_PALETTE),
  ]
}

/** Candidates for a summary; empty if there are none. */
export function coldLines(cold: readonly ColdRow[]): string[] {
  if (cold.length === 0) return []
  return [
    'Long nodes that nobody has read for a month, coldest first; shorten them with MemorySummarize, or keep them with MemoryPin:',
    ...cold.map((row) => `    ${coldLine(row)}`),
  ]
}

export function coldLine({ id, label, source, value }: ColdRow): string {
  return `${escapeNodeName(label)} (id=${id} file=${escapeNodeName(cut(source))} temp=${value.toFixed(2)})`
}

/** The numbers for a terminal: abbreviated, without trailing blanks. */
export function inspectLines(overview: OverviewEnvelope, thresholds: Thresholds, palette: Palette): string[] {
  const { db_path, db_bytes, nodes } = overview
  return [
    palette.bold(`=== Database: ${printable(db_path)} (${formatSize(db_bytes)}) ===`),
    titled('Nodes', `${nodes.total} (${abbreviate(nodes.tokens)} tokens)`),
    ...bodyLines(overview, [`hot (≥${thresholds.hot})`, `cold (<${thresholds.cold})`], palette),
  ].map((line) => line.trimEnd())
}

/** What the past costs, for a terminal. */
export function costLines({ versions, textBytes }: HistoryCost): string[] {
  return [
    titled('History', plural(versions, 'version')),
    ...branches([['texts', `${formatSize(textBytes)} that only history holds`]]),
  ]
}

function bodyLines(overview: OverviewEnvelope, [hot, cold]: [string, string], palette: Palette): string[] {
  const { nodes, temperature, relations } = overview
  const heat = (value: number): string => palette.heat(value.toFixed(2), value)
  return [
    ...branches(counts(nodes.by_type)),
    titled('Snapshots', String(overview.snapshots.count)),
    ...branches(snapshotBranches(overview.snapshots)),
    // Trailing blanks are part of the locked layout.
    'Temperature:'.padEnd(21),
    ...branches([
      ['avg', heat(temperature.avg)],
      ['median', heat(temperature.median)],
      [hot, String(temperature.hot)],
      [cold, String(temperature.cold)],
      ['pinned', String(temperature.pinned)],
    ]),
    titled('Relations', String(relations.total + relations.pending)),
    ...branches([
      ...counts(relations.by_origin),
      ...(relations.pending > 0 ? [['pending', String(relations.pending)] as Branch] : []),
    ]),
    titled('FTS rows', String(overview.fts_rows)),
  ]
}

function snapshotBranches(snapshots: OverviewEnvelope['snapshots']): Branch[] {
  if (snapshots.count === 0) return []
  const message = snapshots.latest_message === '' ? '' : `, "${printable(cut(snapshots.latest_message))}"`
  return [
    ['latest', `#${snapshots.head_id}, ${formatAge(snapshots.latest_age_s)} ago${message}`],
    ['cursor', snapshots.cursor_hash.slice(0, 16)],
  ]
}

function counts(byName: Record<string, number>): Branch[] {
  const names = Object.keys(byName).sort()
  return names.map((name) => [printable(name), String(byName[name])])
}

function titled(title: string, value: string): string {
  return `${`${title}:`.padEnd(21)} ${value}`
}

function branches(rows: Branch[]): string[] {
  return rows.map(
    ([name, value], at) => `    ${at === rows.length - 1 ? '└─' : '├─'} ${`${name}:`.padEnd(14)} ${value}`,
  )
}
