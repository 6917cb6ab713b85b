import type { OverviewEnvelope } from '../../core/overview.ts'
import type { Palette } from '../../util/terminal-color.ts'
import { printable } from '../../util/terminal-text.ts'
import { abbreviate, formatAge, formatSize } from '../../util/terminal-units.ts'

type Branch = [name: string, value: string]

/** The numbers of a memory. */
export function statsLines(
  overview: OverviewEnvelope,
  thresholds: { hot: number; cold: number },
  palette: Palette,
): string[] {
  const { nodes, temperature, relations } = overview
  const heat = (value: number): string => palette.heat(value.toFixed(2), value)
  const total = relations.total + relations.pending
  return [
    palette.bold(`=== Database: ${printable(overview.db_path)} (${formatSize(overview.db_bytes)}) ===`),
    titled('Nodes', `${nodes.total} (${abbreviate(nodes.tokens)} tokens)`),
    ...branches(counts(nodes.by_type)),
    titled('Snapshots', String(overview.snapshots.count)),
    ...branches(snapshotBranches(overview.snapshots)),
    titled('Temperature', ''),
    ...branches([
      ['avg', heat(temperature.avg)],
      ['median', heat(temperature.median)],
      [`hot (≥${thresholds.hot})`, String(temperature.hot)],
      [`cold (<${thresholds.cold})`, String(temperature.cold)],
      ['pinned', String(temperature.pinned)],
    ]),
    titled('Relations', String(total)),
    ...branches([
      ...counts(relations.by_origin),
      ...(relations.pending > 0 ? [['pending', String(relations.pending)] as Branch] : []),
    ]),
    titled('FTS rows', String(overview.fts_rows)),
  ]
}

function snapshotBranches(snapshots: OverviewEnvelope['snapshots']): Branch[] {
  if (snapshots.count === 0) return []
  const message = snapshots.latest_message === '' ? '' : `, "${printable(snapshots.latest_message)}"`
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
  return `${`${title}:`.padEnd(21)} ${value}`.trimEnd()
}

function branches(rows: Branch[]): string[] {
  return rows.map(
    ([name, value], at) => `    ${at === rows.length - 1 ? '└─' : '├─'} ${`${name}:`.padEnd(14)} ${value}`,
  )
}
