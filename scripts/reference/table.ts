/** A table of a page that follows from the sources: the one with these columns below this heading. */
export interface GeneratedTable {
  heading: string
  columns: readonly string[]
  /** In Markdown, without escaped bars. None: the page has no such table. */
  rows: readonly (readonly string[])[]
}

/** The page with the table as it has to be; one that is missing is added at the end of its section. */
export function withTable(page: string, table: GeneratedTable): string {
  const lines = page.split('\n')
  const section = sectionOf(lines, table.heading)
  const found = findTable(lines, section, table.columns)
  const written = table.rows.length === 0 ? [] : tableLines(table)
  if (found) return lines.toSpliced(found.start, found.end - found.start, ...written).join('\n')
  if (written.length === 0) return page
  return lines.toSpliced(section.end, 0, ...written, '').join('\n')
}

interface Range {
  start: number
  /** Exclusive. */
  end: number
}

/** From a heading to the next one of any level. Lines within code blocks are no headings. */
function sectionOf(lines: readonly string[], heading: string): Range {
  const headings = headingLines(lines)
  const at = headings.findIndex(({ text }) => text === heading)
  const start = headings[at]?.line
  if (start === undefined) throw new Error(`there is no heading "${heading}": write it, with what it is for`)
  return { start: start + 1, end: headings[at + 1]?.line ?? lines.length }
}

function headingLines(lines: readonly string[]): { text: string; line: number }[] {
  let isCode = false
  return lines.flatMap((text, line) => {
    if (text.startsWith('```')) isCode = !isCode
    const heading = isCode ? null : /^#+ (.*)$/.exec(text)
    return heading?.[1] === undefined ? [] : [{ text: heading[1].replaceAll('`', ''), line }]
  })
}

function findTable(lines: readonly string[], section: Range, columns: readonly string[]): Range | undefined {
  const wanted = columns.join('|')
  for (let start = section.start; start < section.end; start++) {
    if (cellsOf(lines[start] ?? '').join('|') !== wanted) continue
    let end = start
    while (lines[end]?.startsWith('|')) end++
    return { start, end }
  }
  return undefined
}

function cellsOf(line: string): string[] {
  if (!line.startsWith('|')) return []
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
}

function tableLines({ columns, rows }: GeneratedTable): string[] {
  const cells = [columns, ...rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))]
  const widths = columns.map((_, at) => Math.max(3, ...cells.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, at) => (row[at] ?? '').padEnd(width)).join(' | ')} |`
  const [header = [], ...body] = cells
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)]
}

/** A name, a flag or a value as code. */
export function code(text: string): string {
  return `\`${text}\``
}

/** As in links to headings. */
export function anchorOf(heading: string): string {
  return `#${heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')}`
}

/** A sentence of the program in Markdown: what it has in angle brackets is no HTML. */
export function prose(text: string): string {
  return text.replaceAll('<', '\\<')
}
