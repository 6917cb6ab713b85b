import { estimateTokens } from '../../core/tokens.ts'

/** One thing an agent wants to know, in tokens it reads without a memory and with one. */
export interface Scenario {
  name: string
  part: 'orientation' | 'gathering'
  naive: number
  remindb: number
}

export interface Comparison {
  naive: number
  remindb: number
  /** In percent; null where there was nothing to read without a memory. */
  saved: number | null
}

export interface BenchReport {
  files: number
  nodes: number
  budget: number
  queries: string[]
  scenarios: (Scenario & Comparison)[]
  totals: Record<'orientation' | 'gathering' | 'session', Comparison>
}

export function tokensOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0)
}

export function compared<T extends Pick<Comparison, 'naive' | 'remindb'>>(tokens: T): T & Comparison {
  const { naive, remindb } = tokens
  return { ...tokens, saved: naive > 0 ? 100 * (1 - remindb / naive) : null }
}

/** Weighted by tokens: what a session reads altogether. */
export function totalsOf(scenarios: readonly Scenario[]): BenchReport['totals'] {
  const total = (chosen: readonly Scenario[]): Comparison =>
    compared({
      naive: chosen.reduce((sum, { naive }) => sum + naive, 0),
      remindb: chosen.reduce((sum, { remindb }) => sum + remindb, 0),
    })
  return {
    orientation: total(scenarios.filter(({ part }) => part === 'orientation')),
    gathering: total(scenarios.filter(({ part }) => part === 'gathering')),
    session: total(scenarios),
  }
}
