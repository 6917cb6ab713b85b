export interface TableStyle {
  /** Columns as wide as their cells, for a terminal. Without it a change of one cell changes one line. */
  isAligned: boolean
}

export function markdownTable(rows: readonly (readonly string[])[], { isAligned }: TableStyle): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const [head = [], ...body] = cells
  const widths = head.map((_, at) => (isAligned ? Math.max(...cells.map((row) => row[at]?.length ?? 0)) : 0))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(Math.max(3, width))).join(' | ')} |`
  return [line(head), rule, ...body.map(line)].join('\n')
}

export const grouped = (value: number): string => value.toLocaleString('en-US')
