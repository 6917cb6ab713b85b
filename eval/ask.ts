import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { searchText } from '../src/core/find/search-text.ts'
import { estimateTokens } from '../src/core/tokens.ts'
import { type Memory, openMemory } from '../src/index.ts'
import type { Conversation, Question } from './dataset.ts'
import { mapExchanges } from './exchanges.ts'
import { type Scores, scoresOf } from './metrics.ts'
import { distinctTurns, mapTurns } from './turns.ts'

/** What became of one question. */
export interface Answer {
  category: string
  scores: Scores
  /** A search as an agent makes it: so long it took, and so long is the answer to read. */
  ms: number
  tokens: number
}

export interface Asked {
  answers: Answer[]
  /** What the questions are about. */
  unit: 'turn' | 'exchange'
  /** Questions that no turn answers: recall means nothing for them. */
  skipped: number
  problems: string[]
}

/** Enough for fifty distinct turns, though some hits are headings. */
const DEEP = 200

/** Compiles the notes into a memory of their own, asks every question, and removes the memory again. */
export async function askAll(conversation: Conversation): Promise<Asked> {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-eval-'))
  try {
    // A turn must stay one node, however long it is.
    const settings = { author: 'eval', 'compile.max_node_tokens': 1_000_000 }
    await using memory = await openMemory({ db: join(folder, 'memory.db'), settings })
    await memory.compile(conversation.notes)
    return await askMemory(memory, conversation)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function askMemory(memory: Memory, { name, turns, questions }: Conversation): Promise<Asked> {
  const forest = await memory.forest()
  const { turnOf, problems } = turns ? mapTurns(forest, turns) : mapExchanges(forest)
  const unit = turns ? 'turn' : 'exchange'
  const known = new Set(turns?.map(({ id }) => id) ?? turnOf.values())
  const answerable = questions.filter(({ relevant }) => relevant.length > 0)
  const strangers = new Set(answerable.flatMap(({ relevant }) => relevant.filter((id) => !known.has(id))))
  if (strangers.size > 0)
    problems.push(
      `questions.jsonl names ${strangers.size} ${unit}s that ${turns ? 'turns.jsonl does not' : 'the notes do not'} have; they count as not found`,
    )
  const answers: Answer[] = []
  for (const question of answerable) answers.push(await ask(memory, question, turnOf))
  return {
    answers,
    unit,
    skipped: questions.length - answerable.length,
    problems: problems.map((problem) => `${name}: ${problem}`),
  }
}

async function ask(memory: Memory, asked: Question, turnOf: ReadonlyMap<string, string>): Promise<Answer> {
  const query = asked.question
  const start = performance.now()
  const usual = await memory.search({ query, warm: false })
  const ms = performance.now() - start
  const { hits } = await memory.search({ query, limit: DEEP, warm: false })
  const found = distinctTurns(
    hits.map(({ id }) => id),
    turnOf,
  )
  const tokens = estimateTokens(searchText(usual))
  return { category: asked.category, scores: scoresOf(found, asked.relevant), ms, tokens }
}
