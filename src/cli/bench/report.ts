import { estimateTokens } from '../../core/tokens.ts'

/** One thing an agent wants to know, in tokens it reads without a memory and with one. */
export interface Scenario {
  name: string
  part: 'orientation' | 'gathering'
  naive: number
  /** Answers are texts. */
  remindb: number
  /** The same answers as data, if a server sends it (`server.answers`). */
  data: number
}

/** The parts of an answer with text and data that programs pass on: each kind is in use. */
export const PASSED_ON = ['text', 'data', 'both'] as const
export type PassedOn = (typeof PASSED_ON)[number]

export interface Comparison {
  naive: number
  remindb: number
  /** In percent; null if there was nothing to read without a memory. */
  saved: number | null
}

export interface BenchReport {
  files: number
  nodes: number
  budget: number
  queries: string[]
  scenarios: (Scenario & Comparison)[]
  /** Of texts, which every program passes on unless the operator also wants data. */
  totals: Record<'orientation' | 'gathering' | 'session', Comparison>
  /** A session in which the operator also wants data, by the parts that the program passes on. */
  passedOn: Record<PassedOn, Comparison>
}

export function tokensOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0)
}

export function compared<T extends Pick<Comparison, 'naive' | 'remindb'>>(tokens: T): T & Comparison {
  const { naive, remindb } = tokens
  return { ...tokens, saved: naive > 0 ? 100 * (1 - remindb / naive) : null }
}

/** A session by the parts that a program passes on of answers that have both. */
export function passedOnOf(scenarios: readonly Scenario[]): BenchReport['passedOn'] {
  const total = (tokens: (scenario: Scenario) => number): Comparison =>
    totalsOf(scenarios.map((scenario) => ({ ...scenario, remindb: tokens(scenario) }))).session
  return {
    text: total(({ remindb }) => remindb),
    data: total(({ data }) => data),
    both: total(({ remindb, data }) => remindb + data),
  }
}

/** Weighted by tokens: everything a session reads. */
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
