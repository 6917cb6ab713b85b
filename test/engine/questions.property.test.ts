import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Memory, QuestionInput } from '../../src/index.ts'
import { openWorkspace, type Workspace } from '../support/engine.ts'
import { RUNS } from '../support/engine-documents.ts'

const STEPS = 14
const WORDS = ['red', 'green', 'blue', 'black']
const QUESTIONS: QuestionInput[] = [
  ...WORDS.map((word): QuestionInput => ({ question: 'the door is', words: [`is ${word}`], k: 2 })),
  { question: 'the door is', paths: ['door.md'], words: ['door'] },
  { question: 'a window', paths: ['house/'], words: ['window'] },
]

type Step = (at: Workspace, word: string, number: number) => Promise<unknown>

const STEPS_BY_NAME: Record<string, Step> = {
  compile: (at, word, number) =>
    at.compile({ 'door.md': `# House\n\nThe door is ${word}.\n\nA lamp costs ${number}.\n` }),
  lose: (at) => at.compile({ 'door.md': '# House\n\nThere is nothing here.\n' }),
  rename: (at, _word, number) => renameWindow(at, number),
  note: ({ memory }, word) => memory.by('noter').write({ payload: `The door is ${word}, says a note.` }),
  edit: async ({ memory }, word) => {
    const id = await someHit(memory)
    if (id) await memory.by('editor').write({ anchor: id, payload: `The door is ${word} now.` })
  },
  forget: async ({ memory }) => {
    const id = await someHit(memory)
    if (id) await memory.by('forgetter').forget({ id, mode: 'cascade' })
  },
  rollback: async ({ memory }, _word, number) => {
    const [head] = await memory.snapshots({ limit: 1 })
    if (head && head.id > 1) await memory.rollback({ snapshotId: 1 + (number % (head.id - 1)) })
  },
}

/** `house/window` is somewhere below `house`, or beside it. */
async function renameWindow(at: Workspace, number: number): Promise<void> {
  const [from] = (await at.memory.files()).roots.flatMap(({ files }) =>
    files.filter((file) => /window/.test(file.path)),
  )
  const to = number % 2 === 0 ? `window${number}.md` : `house/window${number}.md`
  if (from) renameSync(join(at.folder, from.path), join(at.folder, to))
  await at.compile()
}

async function someHit(memory: Memory): Promise<string | undefined> {
  return (await memory.search({ query: 'the door is', limit: 1, warm: false })).hits[0]?.id
}

function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** What a check at a snapshot finds of one item. */
async function isFound(memory: Memory, asOf: number, question: QuestionInput, value: string) {
  const { questions } = await memory.check([question], { asOf })
  return questions[0]?.found.some((item) => item.value === value)
}

test('a bisection names a snapshot at which a check finds nothing, right after one at which it does', async () => {
  const seed = Date.now() % 1_000_000
  for (let run = 0; run < 6 * RUNS; run++) {
    const random = randomOf(seed + run)
    const about = `seed ${seed}, run ${run}`
    await using at = await openWorkspace({
      'door.md': '# House\n\nThe door is red.\n',
      'house/window.md': 'A window of old glass.\n',
    })
    const names = Object.keys(STEPS_BY_NAME)
    for (let step = 0; step < STEPS; step++) {
      const name = names[random(names.length)] ?? ''
      await STEPS_BY_NAME[name]?.(at, WORDS[random(WORDS.length)] ?? '', random(100))
    }
    await checkReport(at.memory, about)
  }
})

async function checkReport(memory: Memory, about: string): Promise<void> {
  const report = await memory.bisect(QUESTIONS.map((question, line) => ({ ...question, line })))
  const ids = (await memory.snapshots({ limit: 1000 })).map(({ id }) => id).toSorted((a, b) => a - b)
  for (const { snapshot, before, lost } of report.breaks) {
    expect(ids.indexOf(snapshot.id), about).toBe(ids.indexOf(before) + 1)
    for (const { line, value } of lost) {
      const question = QUESTIONS[line ?? -1] as QuestionInput
      expect(await isFound(memory, before, question, value), `${about}: ${value} at ${before}`).toBe(true)
      expect(await isFound(memory, snapshot.id, question, value), `${about}: ${value}`).toBe(false)
    }
  }
  for (const { line, value, tried } of report.unexplained) {
    if (tried !== 'all') continue
    const question = QUESTIONS[line ?? -1] as QuestionInput
    for (const id of ids)
      expect(await isFound(memory, id, question, value), `${about}: ${value} at ${id}`).toBe(false)
  }
}
