import { closest } from '../../util/text/closest.ts'
import { plural } from '../../util/text/units.ts'
import { MemoryError } from '../errors.ts'
import { MAX_LIMIT } from '../find/search-model.ts'
import type { Expected, ExpectedKind, Question, QuestionInput } from './model.ts'

const LISTS = { nodes: 'node', paths: 'path', words: 'word' } as const satisfies Record<string, ExpectedKind>
const MEMBERS = ['question', ...Object.keys(LISTS), 'k']
const EXAMPLE = '{"question": "who is on call?", "paths": ["ops.md"]}'

/** The questions of a file: JSON Lines; blank lines and lines that begin with `#` or `//` are skipped. */
export function parseQuestions(
  text: string,
  name = 'questions',
  { mayBeEmpty = false } = {},
): QuestionInput[] {
  const questions: QuestionInput[] = []
  for (const [at, line] of text
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    if (/^\s*(#|\/\/|$)/.test(line)) continue
    const where = `${name}:${at + 1}`
    const question = parseLine(line, where)
    questionOf(question, where, MEMBERS)
    questions.push({ ...(question as QuestionInput), line: at + 1 })
  }
  if (questions.length === 0 && !mayBeEmpty)
    throw invalid(name, `there is no question in it; add lines such as ${EXAMPLE}`)
  return questions
}

/** The questions of a caller. */
export function questionsOf(given: readonly QuestionInput[]): Question[] {
  if (!Array.isArray(given) || given.length === 0)
    throw invalid('questions', `give a list of objects such as ${EXAMPLE}`)
  return given.map((one, at) => questionOf(one, `questions[${at}]`, [...MEMBERS, 'line']))
}

function parseLine(line: string, where: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw invalid(where, `this line is not JSON; write one object on a line, such as ${EXAMPLE}`)
  }
}

function questionOf(value: unknown, where: string, allowed: readonly string[]): Question {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(where, `a question is an object such as ${EXAMPLE}`)
  const members = value as Record<string, unknown>
  refuseUnknown(Object.keys(members), where, allowed)
  const { question, k, line } = members
  if (typeof question !== 'string' || question.trim() === '')
    throw invalid(where, 'question must be a text: what to search for')
  const expected = Object.entries(LISTS).flatMap(([name, kind]) =>
    itemsOf(members[name], name, where).map((item): Expected => ({ kind, value: item })),
  )
  if (expected.length === 0)
    throw invalid(where, 'nothing is expected; add nodes, paths or words that must be found')
  return {
    question,
    expected,
    k: limitOf(k, expected, where),
    line: typeof line === 'number' ? line : undefined,
  }
}

function refuseUnknown(names: readonly string[], where: string, allowed: readonly string[]): void {
  const unknown = names.find((name) => !allowed.includes(name))
  if (unknown === undefined) return
  const meant = closest(unknown, MEMBERS)
  const hint = meant === undefined ? '' : `did you mean ${meant}? `
  throw invalid(
    where,
    `unknown member ${JSON.stringify(unknown)}; ${hint}A question has: ${MEMBERS.join(', ')}`,
  )
}

function itemsOf(given: unknown, name: string, where: string): string[] {
  if (given === undefined) return []
  const isList = Array.isArray(given) && given.every((item) => typeof item === 'string' && item.trim() !== '')
  if (!isList) throw invalid(where, `${name} must be a list of texts, such as {"${name}": ["…"]}`)
  return [...new Set(given as string[])]
}

function limitOf(k: unknown, expected: readonly Expected[], where: string): number | undefined {
  if (k === undefined) return undefined
  if (!Number.isSafeInteger(k) || (k as number) < 1 || (k as number) > MAX_LIMIT)
    throw invalid(where, `k must be a whole number from 1 to ${MAX_LIMIT}`)
  const nodes = expected.filter(({ kind }) => kind === 'node').length
  if (nodes > (k as number))
    throw invalid(
      where,
      `${plural(nodes, 'node')} cannot be among the first ${plural(k as number, 'hit')}; raise k`,
    )
  return k as number
}

function invalid(where: string, problem: string): MemoryError {
  return new MemoryError('INVALID_INPUT', `${where}: ${problem}`)
}
