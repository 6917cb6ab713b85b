import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A text, and what of it must not survive: nothing, for one that only looks as if it had a secret. See README.md. */
export interface Row {
  id: string
  kind: string
  text: string
  secrets: string[]
}

export const SETS = ['dev', 'held-out'] as const
export type SetName = (typeof SETS)[number]

export function readRows(set: SetName): Row[] {
  const lines = readFileSync(join(import.meta.dirname, `${set}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => JSON.parse(line) as Row)
}
