/** What a column is called, and what it shows of a row. */
export type Columns<R> = Record<string, (row: R) => string | number>

export function table<R>(rows: R[], columns: Columns<R>): string[] {
  const shown = Object.entries(columns).map(([name, show]) => [name, ...rows.map((row) => String(show(row)))])
  const padded = shown.map((cells) => {
    const width = Math.max(10, ...cells.map((cell) => cell.length)) + 2
    return cells.map((cell) => cell.padStart(width))
  })
  return [...Array(rows.length + 1).keys()].map((at) => padded.map((cells) => cells[at]).join(''))
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
export const milliseconds = (ms: number): string => `${ms.toFixed(2)} ms`

export interface Verdict {
  target: string
  measured: string
  holds: boolean
}

export function verdict(target: string, measured: number, limit: number, unit: string): Verdict {
  return { target, measured: `${measured.toFixed(2)}${unit}`, holds: measured <= limit }
}

export function verdictLines(verdicts: Verdict[]): string[] {
  return verdicts.map(({ holds, target, measured }) => `${holds ? 'holds' : 'LOST '}  ${target}: ${measured}`)
}
