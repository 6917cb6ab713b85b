import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { exchangeOf } from './exchanges.ts'

/** A folder of notes, and questions whose answers are known to be in some parts of them: turns or exchanges. */
export interface Conversation {
  name: string
  /** The folder to compile. */
  notes: string
  /** Missing: the notes are messages, and the parts are exchanges (`exchanges.ts`). */
  turns?: Turn[]
  questions: Question[]
}

/** One paragraph of one file. */
export interface Turn {
  id: string
  file: string
  /** Among the paragraphs of its file, from 0; headings do not count. */
  ordinal: number
}

export interface Question {
  question: string
  /** Ids of turns or exchanges, each once. */
  relevant: string[]
  /** Of turns: 1 multi-hop, 2 temporal, 3 open, 4 single-hop, 5 adversarial. Of exchanges: the name of a kind. */
  category: string
}

/** What is wrong with the folder that was named, and what to do. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError'
}

const PARTS = ['notes', 'turns.jsonl', 'questions.jsonl']
/** Folders below the one that is named. */
const MAX_DEPTH = 2

/** The conversation that a folder is, or those below it, by name. */
export function readDataset(folder: string): Conversation[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DatasetError(
      `there is no folder ${folder}; name one, or none for the set that comes with the project`,
    )
  }
  if (hasPart(folder)) return [readConversation(folder, basename(resolve(folder)))]
  const inner = foldersBelow(folder, MAX_DEPTH).sort()
  if (inner.length > 0) return inner.map((one) => readConversation(one, relative(folder, one)))
  throw new DatasetError(
    `${folder} has no conversations: folders with ${PARTS.join(', ')}. docs/how-to/evaluate-search.md describes them`,
  )
}

function foldersBelow(folder: string, depth: number): string[] {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.flatMap(({ name }) => {
    const inner = join(folder, name)
    if (hasPart(inner)) return [inner]
    return depth > 1 ? foldersBelow(inner, depth - 1) : []
  })
}

function hasPart(folder: string): boolean {
  return PARTS.some((part) => existsSync(join(folder, part)))
}

function readConversation(folder: string, name: string): Conversation {
  const file = (part: string): string => join(folder, part)
  const isExchanges = !existsSync(file('turns.jsonl')) && hasKinds(file('questions.jsonl'))
  const needed = PARTS.filter((part) => !isExchanges || part !== 'turns.jsonl')
  const missing = needed.find((part) => !existsSync(file(part)))
  if (missing) throw new DatasetError(`${folder} has no ${missing}; a conversation needs ${PARTS.join(', ')}`)
  return {
    name,
    notes: file('notes'),
    ...(isExchanges ? {} : { turns: readLines(file('turns.jsonl'), toTurn) }),
    questions: readLines(file('questions.jsonl'), isExchanges ? toExchangeQuestion : toQuestion),
  }
}

/** Questions about exchanges have a kind, those about turns a category. */
function hasKinds(file: string): boolean {
  return existsSync(file) && /"kind"\s*:/.test(readFileSync(file, 'utf8').split('\n', 1)[0] ?? '')
}

function readLines<T>(file: string, toItem: (line: unknown) => T | string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, at) => {
      if (text.trim() === '') return []
      const item = parseLine(text, toItem)
      if (typeof item === 'string') throw new DatasetError(`${file}, line ${at + 1}: ${item}`)
      return [item]
    })
}

function parseLine<T>(text: string, toItem: (line: unknown) => T | string): T | string {
  try {
    return toItem(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return 'this is not JSON; write one object on each line'
    throw error
  }
}

function toTurn(line: unknown): Turn | string {
  const { id, file, ordinal } = fieldsOf(line)
  const isTurn = typeof id === 'string' && typeof file === 'string' && isCount(ordinal)
  return isTurn
    ? { id, file, ordinal }
    : 'a turn needs "id" and "file", texts, and "ordinal", a number from 0'
}

function toQuestion(line: unknown): Question | string {
  const { question, relevant, category } = fieldsOf(line)
  if (typeof question !== 'string' || !isTexts(relevant) || !isCount(category) || category < 1)
    return 'a question needs "question", a text, "relevant", a list of turn ids, and "category", a number from 1'
  return { question, relevant: [...new Set(relevant)], category: String(category) }
}

function toExchangeQuestion(line: unknown): Question | string {
  const { question, relevant, kind } = fieldsOf(line)
  if (typeof question !== 'string' || !isCounts(relevant) || typeof kind !== 'string')
    return 'a question needs "question" and "kind", texts, and "relevant", a list of message numbers'
  return { question, relevant: [...new Set(relevant.map(exchangeOf))], category: kind }
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isCount)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function fieldsOf(line: unknown): Record<string, unknown> {
  return typeof line === 'object' && line !== null ? { ...line } : {}
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
