import { needs } from '../errors.ts'
import type { MomentInput } from '../port/history.ts'
import { type AskDeps, type AskedAt, ask, askForAll } from './ask.ts'
import { placeOf } from './judge.ts'
import type { AnswerHit, CheckedQuestion, CheckReport, FoundItem, MissingItem, Question } from './model.ts'
import { askedAt } from './timeline.ts'

export interface CheckOptions {
  /** The moment at which to ask. Default: now. */
  asOf?: MomentInput | undefined
  /** The share of expected items that must be found, from 0 to 1. Default: 1. */
  min?: number | undefined
}

/** How many hits a report shows of a question. */
const SHOWN = 3

/** Asks every question, as an agent would at that moment. Warms nothing. */
export async function checkQuestions(
  deps: AskDeps,
  questions: readonly Question[],
  { asOf, min = 1 }: CheckOptions = {},
): Promise<CheckReport> {
  needs(typeof min === 'number' && min >= 0 && min <= 1, 'min must be a number from 0 to 1')
  const at = await askedAt(deps, asOf)
  const checked: CheckedQuestion[] = []
  for (const question of questions) {
    deps.signal?.throwIfAborted()
    checked.push(await checkOne(deps, question, at))
  }
  const found = checked.reduce((sum, one) => sum + one.found.length, 0)
  const expected = questions.reduce((sum, one) => sum + one.expected.length, 0)
  const recall = found / expected
  return { snapshot: at.snapshot, questions: checked, expected, found, recall, min, passed: recall >= min }
}

async function checkOne(deps: AskDeps, question: Question, at: AskedAt): Promise<CheckedQuestion> {
  const hits = await ask(deps, question, at)
  const found: FoundItem[] = []
  const lost: MissingItem[] = []
  for (const item of question.expected) {
    const place = placeOf(item, hits)
    if (place === undefined) lost.push({ ...item, place: null })
    else found.push({ ...item, place })
  }
  const missing = lost.length === 0 ? lost : await withPlaces(deps, question, at, lost)
  const { question: text, line, k } = question
  return { question: text, line, k, found, missing, hits: hits.slice(0, SHOWN).map(shownHit) }
}

/** Says of what is missing where it stands instead. */
async function withPlaces(
  deps: AskDeps,
  question: Question,
  at: AskedAt,
  missing: readonly MissingItem[],
): Promise<MissingItem[]> {
  const all = await askForAll(deps, question, at)
  return missing.map((item) => ({ ...item, place: placeOf(item, all) ?? null }))
}

function shownHit({ id, type, label, path }: AnswerHit): CheckedQuestion['hits'][number] {
  return { id, type, label, path }
}
