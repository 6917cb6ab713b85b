import { appendFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Paint } from '../../../core/find/paint.ts'
import type { SearchHit } from '../../../core/find/search-model.ts'
import { hitLines } from '../../../core/find/search-text.ts'
import { parseApproved, questionLine } from '../../../core/questions/approve.ts'
import type { QuestionInput } from '../../../core/questions/model.ts'
import { parseQuestions } from '../../../core/questions/parse-questions.ts'
import type { Memory } from '../../../runtime/memory/open-memory.ts'
import { writeLines } from '../../../util/terminal/output.ts'
import { printable } from '../../../util/text/printable.ts'
import { shellWord } from '../../../util/text/shell-word.ts'
import { plural } from '../../../util/text/units.ts'
import { type Context, UsageError } from '../../base/command.ts'
import { withMemory } from '../../base/databases.ts'
import { commandFor } from '../../base/invocation.ts'
import { paintOf } from '../../layout/paint.ts'
import { findText } from './questions-file.ts'

/** Asks a person for searches, and appends those whose hits they approve to a file. */
export async function record(context: Context, file: string): Promise<void> {
  if (!context.in.isTerminal)
    throw new UsageError(
      '--record asks questions on a terminal, and stdin is none; run it on one, or write lines such as {"question": "…", "words": ["…"]} by hand',
    )
  const target = openTarget(context.cwd, file)
  await withMemory(context, async (memory) => {
    const added = await recordAll({
      dialogue: dialogueOf(context),
      memory,
      target,
      paint: paintOf(context.palette),
    })
    const next = commandFor(context, memory.path)(`check ${shellWord(file)}`)
    const then = added === 0 ? '' : `; ask them with: ${next}`
    await writeLines(context.err, [`added ${plural(added, 'question')} to ${printable(file)}${then}`])
  })
}

interface Target {
  /** Questions that are in the file, in its order. */
  known: Set<string>
  append(question: QuestionInput): void
}

function openTarget(cwd: string, file: string): Target {
  const text = findText(cwd, file) ?? ''
  const questions = parseQuestions(text, printable(file), { mayBeEmpty: true })
  const known = new Set(questions.map(({ question }) => question))
  // The last line of a file that was written by hand may have no end.
  let start = text === '' || text.endsWith('\n') ? '' : '\n'
  return {
    known,
    append(question) {
      appendFileSync(resolve(cwd, file), `${start}${questionLine(question)}\n`)
      start = ''
      known.add(question.question)
    },
  }
}

/** Questions to a person, and their answers. */
interface Dialogue {
  /** Undefined at the end of the input. */
  ask(prompt: string): Promise<string | undefined>
  say(lines: string[]): Promise<void>
}

function dialogueOf({ in: input, err }: Context): Dialogue {
  const lines = input.lines()
  return {
    async ask(prompt) {
      await err.write(`${prompt}: `)
      const { value, done } = await lines.next()
      return done ? undefined : value.trim()
    },
    say: (shown) => writeLines(err, shown),
  }
}

interface Recording {
  dialogue: Dialogue
  memory: Memory
  target: Target
  paint: Paint
}

/** Until an empty line; how many questions were added. */
async function recordAll(recording: Recording): Promise<number> {
  const { dialogue, target } = recording
  for (let added = 0; ; ) {
    const question = await dialogue.ask('search for (nothing: end)')
    if (question === undefined || question === '') return added
    if (target.known.has(question)) await dialogue.say(['this question is in the file already'])
    else if (await recordOne(recording, question)) added++
  }
}

/** Whether the question was added. */
async function recordOne({ dialogue, memory, target, paint }: Recording, question: string): Promise<boolean> {
  const { hits } = await memory.search({ query: question, warm: false })
  if (hits.length === 0) {
    await dialogue.say(['nothing was found: there is nothing to approve'])
    return false
  }
  await dialogue.say(hits.flatMap((hit, at) => numbered(hitLines(hit, at, paint), at + 1)))
  const approved = await askApproved(dialogue, hits)
  if (approved === undefined) return false
  target.append({ question, ...approved })
  return true
}

/** Asks until the answer can be understood; undefined: nothing was approved. */
async function askApproved(dialogue: Dialogue, hits: readonly SearchHit[]) {
  for (;;) {
    const answer = await dialogue.ask(
      'which must be found? (1 3: these nodes; 2f: the file of hit 2; nothing: none)',
    )
    if (answer === undefined || answer === '') return undefined
    const approved = parseApproved(answer, hits)
    if (!('refused' in approved)) return approved
    await dialogue.say([printable(approved.refused)])
  }
}

function numbered(lines: readonly string[], number: number): string[] {
  return lines.map((line, at) => `${at === 0 ? String(number).padStart(3) : '   '}  ${line}`)
}
