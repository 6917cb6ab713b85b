import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

/** A folder of notes, and questions whose answers are known to stand in some of their paragraphs. */
export interface Conversation {
  name: string
  /** The folder to compile. */
  notes: string
  turns: Turn[]
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
  /** Ids of turns, each once. */
  relevant: string[]
  /** 1 multi-hop, 2 temporal, 3 open, 4 single-hop, 5 adversarial. */
  category: number
}

/** What is wrong with the folder that was named, and what to do. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError'
}

const PARTS = ['notes', 'turns.jsonl', 'questions.jsonl']

/** The conversation that a folder is, or those in it, by name. */
export function readDataset(folder: string): Conversation[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DatasetError(
      `there is no folder ${folder}; name one, or none for the set that comes with the project`,
    )
  }
  if (hasPart(folder)) return [readConversation(folder)]
  const inner = readdirSync(folder)
    .map((name) => join(folder, name))
    .filter(hasPart)
    .sort()
  if (inner.length > 0) return inner.map(readConversation)
  throw new DatasetError(
    `${folder} has no conversations: folders with ${PARTS.join(', ')}. docs/evaluation.md describes them`,
  )
}

function hasPart(folder: string): boolean {
  return PARTS.some((part) => existsSync(join(folder, part)))
}

function readConversation(folder: string): Conversation {
  const missing = PARTS.find((part) => !existsSync(join(folder, part)))
  if (missing) throw new DatasetError(`${folder} has no ${missing}; a conversation needs ${PARTS.join(', ')}`)
  const turns = readLines(join(folder, 'turns.jsonl'), toTurn)
  const questions = readLines(join(folder, 'questions.jsonl'), toQuestion)
  return { name: basename(resolve(folder)), notes: join(folder, 'notes'), turns, questions }
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
  return { question, relevant: [...new Set(relevant)], category }
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
