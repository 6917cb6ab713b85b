import { IF_NO_WORD, KeyName, NOT_SECRET } from './key-name.ts'
import { isSecretValue } from './secret-value.ts'
import { BLANK } from './text/chars.ts'
import { KEYED_KIND } from './text/kinds.ts'
import type { Scan } from './text/scan.ts'
import { Value } from './value.ts'

interface Cell {
  from: number
  end: number
}

const PIPE = 124
const LINE_FEED = 10
const MAX_COLUMNS = 64
const DELIMITER = /[ \t]{0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*(?:\n|$)/y

/** Markdown tables: columns with a heading that marks them as secret, and rows of a name and a value. */
export class Tables {
  readonly #scan: Scan
  readonly #key = new KeyName()
  readonly #value = new Value()
  /** Of each column of the table: how secret. */
  #columns: number[] = []
  #isTable = false

  constructor(scan: Scan) {
    this.#scan = scan
  }

  /** For another text. */
  reset(): void {
    this.#isTable = false
  }

  /** Reads the line that begins at `start` when it is a row of a table. */
  read(start: number): void {
    const scan = this.#scan
    let at = start
    while (at < start + 3 && (scan.bits(at) & BLANK) !== 0) at++
    const isRow = scan.code(at) === PIPE
    if (isRow) this.#readRow(at)
    this.#isTable = isRow
  }

  #readRow(first: number): void {
    const cells = this.#cells(first)
    if (!this.#isTable && this.#readHeader(cells, first)) return
    let rowLevel = NOT_SECRET
    for (const [column, { from, end }] of cells.entries()) {
      const level = Math.max(this.#columns[column] ?? NOT_SECRET, column === 1 ? rowLevel : NOT_SECRET)
      if (column === 0 && cells.length <= 3) rowLevel = this.#key.read(this.#scan, end)
      if (level !== NOT_SECRET && this.#isSecret(from, end, level))
        this.#scan.plan(KEYED_KIND, from, from, end)
    }
  }

  /** The first row, if a line of dashes follows it, names the columns. */
  #readHeader(cells: readonly Cell[], first: number): boolean {
    const { length, text } = this.#scan
    const lineEnd = text.indexOf('\n', cells.at(-1)?.end ?? first)
    DELIMITER.lastIndex = lineEnd + 1
    const isHeader = lineEnd >= 0 && lineEnd + 1 < length && DELIMITER.test(text)
    this.#columns = isHeader ? cells.map(({ end }) => this.#key.read(this.#scan, end)) : []
    return isHeader
  }

  #isSecret(from: number, end: number, level: number): boolean {
    const value = this.#value.read(this.#scan, from, end, false)
    if (value.blanks > 0 || end <= from) return false
    return isSecretValue(this.#scan, value, Math.min(level, IF_NO_WORD))
  }

  /** The cells of a row, without the blanks and the backticks around them. */
  #cells(first: number): Cell[] {
    const { codes, length } = this.#scan
    const cells: Cell[] = []
    let from = first + 1
    for (let at = from; at <= length; at++) {
      const code = at < length ? codes[at] : LINE_FEED
      if (code !== PIPE && code !== LINE_FEED) continue
      if (code === PIPE || at > from) cells.push(this.#trim(from, at))
      if (code === LINE_FEED || cells.length === MAX_COLUMNS) break
      from = at + 1
    }
    return cells
  }

  #trim(from: number, end: number): Cell {
    const scan = this.#scan
    let start = from
    let last = end
    while (start < last && isAround(scan.code(start))) start++
    while (last > start && isAround(scan.code(last - 1))) last--
    return { from: start, end: last }
  }
}

function isAround(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 96 || code === 42
}
