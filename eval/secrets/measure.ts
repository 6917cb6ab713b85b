import type { Row } from './corpus.ts'

/** How many of the positives were found, and how many negatives were altered; in percent. */
export interface Figures {
  positives: number
  found: number
  recall: number
  negatives: number
  altered: number
  false_positives: number
}

export interface Measured extends Figures {
  by_kind: Record<string, Figures>
  /** What was missed or altered, by id. */
  wrong: string[]
}

const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g

/** Counts as README.md says. */
export function measure(rows: readonly Row[], redact: (text: string) => string): Measured {
  const judged = rows.map((row) => ({ ...row, isRight: isRight(row, redact(row.text)) }))
  const kinds = [...new Set(rows.map(({ kind }) => kind))].sort()
  return {
    ...figuresOf(judged),
    by_kind: Object.fromEntries(
      kinds.map((kind) => [kind, figuresOf(judged.filter((row) => row.kind === kind))]),
    ),
    wrong: judged.flatMap(({ id, isRight }) => (isRight ? [] : [id])),
  }
}

/** A secret that merely lost an invisible character still shows. */
function isRight({ text, secrets }: Row, redacted: string): boolean {
  if (secrets.length === 0) return redacted === text
  const shown = redacted.replaceAll(INVISIBLE, '')
  return secrets.every((secret) => !shown.includes(secret.replaceAll(INVISIBLE, '')))
}

function figuresOf(rows: readonly (Row & { isRight: boolean })[]): Figures {
  const positives = rows.filter(({ secrets }) => secrets.length > 0)
  const negatives = rows.filter(({ secrets }) => secrets.length === 0)
  const found = positives.filter(({ isRight }) => isRight).length
  const altered = negatives.filter(({ isRight }) => !isRight).length
  return {
    positives: positives.length,
    found,
    recall: percent(found, positives.length, 100),
    negatives: negatives.length,
    altered,
    false_positives: percent(altered, negatives.length, 0),
  }
}

function percent(part: number, whole: number, ofNone: number): number {
  return whole === 0 ? ofNone : Math.round((10_000 * part) / whole) / 100
}
