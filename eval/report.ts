import type { Answer, Asked } from './ask.ts'
import { METRICS, type Metric, meanOf, percentile } from './metrics.ts'

/** Percentages, to two places: 72.96 must not pass for 73. */
export type Figures = Record<Metric, number> & { questions: number }

export interface Report {
  /** All but category 5. */
  overall: Figures
  by_category: Record<string, Figures>
  conversations: number
  /** What the questions are about. */
  unit: Asked['unit']
  /** Questions without a relevant turn or exchange. */
  skipped: number
  /** Of a search for ten hits, in milliseconds. */
  time_ms: { p50: number; p99: number }
  /** Of the text of ten hits, as an agent reads it. */
  tokens: { mean: number; p50: number; p99: number }
}

const NAMES: Record<string, string> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open',
  4: 'single-hop',
  5: 'adversarial',
}
const ADVERSARIAL = '5'

export function reportOf(asked: readonly Asked[]): Report {
  const answers = asked.flatMap((one) => one.answers)
  const groups = [...Map.groupBy(answers, ({ category }) => category)].sort(([a], [b]) => (a < b ? -1 : 1))
  const times = answers.map(({ ms }) => ms)
  const tokens = answers.map((answer) => answer.tokens)
  return {
    overall: figuresOf(answers.filter(({ category }) => category !== ADVERSARIAL)),
    by_category: Object.fromEntries(groups.map(([category, own]) => [category, figuresOf(own)])),
    conversations: asked.length,
    unit: asked[0]?.unit ?? 'turn',
    skipped: asked.reduce((total, one) => total + one.skipped, 0),
    time_ms: { p50: round(percentile(times, 0.5)), p99: round(percentile(times, 0.99)) },
    tokens: {
      mean: round(tokens.reduce((total, count) => total + count, 0) / Math.max(1, tokens.length)),
      p50: percentile(tokens, 0.5),
      p99: percentile(tokens, 0.99),
    },
  }
}

/** For a person. */
export function reportLines(report: Report): string[] {
  const { overall, by_category, conversations, unit, skipped, time_ms, tokens } = report
  const rows = Object.entries(by_category).map(([category, figures]) =>
    row(`${category} ${NAMES[category] ?? ''}`.trim(), figures),
  )
  return [
    ['', 'questions', ...METRICS].map((cell, at) => pad(cell, at)).join(''),
    ...rows,
    row(unit === 'turn' ? '1–4 overall' : 'overall', overall),
    '',
    `${count(conversations, 'conversation')}; ${count(skipped, 'question')} without a relevant ${unit} ${skipped === 1 ? 'was' : 'were'} skipped`,
    `a search for ten hits: p50 ${time_ms.p50} ms, p99 ${time_ms.p99} ms`,
    `tokens of its answer: mean ${tokens.mean}, p50 ${tokens.p50}, p99 ${tokens.p99}`,
  ]
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function figuresOf(answers: readonly Answer[]): Figures {
  const mean = meanOf(answers.map(({ scores }) => scores))
  const percentages = METRICS.map((metric) => [metric, round(100 * mean[metric])])
  return { ...Object.fromEntries(percentages), questions: answers.length }
}

function row(name: string, figures: Figures): string {
  const cells = [name, String(figures.questions), ...METRICS.map((metric) => figures[metric].toFixed(1))]
  return cells.map(pad).join('')
}

function pad(cell: string, at: number): string {
  return at === 0 ? cell.padEnd(25) : cell.padStart(11)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
