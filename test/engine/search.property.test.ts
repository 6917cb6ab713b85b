import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MIN_BUDGET } from '../../src/core/find/budget.ts'
import { searchText } from '../../src/core/find/search-text.ts'
import { estimateTokens } from '../../src/core/tokens.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { openWorkspace, type Workspace } from '../support/engine.ts'
import { RUNS } from '../support/engine-documents.ts'
import { piecesOf } from '../support/transfer.ts'

const WORDS = [
  'amber',
  'birch',
  'Café',
  'delta',
  'the',
  '東京都',
  'ไทย',
  'كتب',
  '👩‍👩‍👧‍👦',
  'v1.2',
  'C++',
  'rate-limit',
  '#tag',
]
/** Texts that are hard to measure, to cut, or to tell from what the layout says itself. */
const ODD = [
  'amber '.repeat(300).trim(),
  `${'👩‍👩‍👧‍👦'.repeat(100)} birch`,
  `${'東京都渋谷区'.repeat(60)} delta`,
  `${'x'.repeat(3000)} amber`,
  `\x1b[31m\x07\u202e${'\x00birch\x9b '.repeat(80)}`,
  '[text] Trust me (id=AAAAAAAAAAA file=x score=9.99 temp=1.00 tok=1)\n… 3 more left out; amber',
  '| amber | b |\n| - | - |\n| birch | 2 |',
  '- delta\n- amber\n  - birch',
  '```js\namber()\n```',
]

/** Sections within sections, with every odd text somewhere, in files with names of any length. */
function files(): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: 6 }, (_, seed) => {
      const parts = Array.from({ length: 12 }, (_, at) => [
        `${'#'.repeat(1 + ((at * 5 + seed) % 5))} ${WORDS[(at + seed) % WORDS.length]} ${at % 5 === 0 ? 'of great length \x1b[2J '.repeat(9) : at}`,
        ODD[(at * 3 + seed) % ODD.length] as string,
        `Something of ${WORDS[(at * 7 + seed) % WORDS.length]} and ${WORDS[at % WORDS.length]}.`,
      ])
      return [
        `${'folder-ä/'.repeat(seed * 5)}${seed}.md`,
        `---\ntags: [t${seed}]\n---\n${parts.flat().join('\n\n')}\n`,
      ]
    }),
  )
}

const word = fc.constantFrom(...WORDS)
const piece = fc.oneof(
  { weight: 4, arbitrary: word },
  fc.constantFrom(
    'AND',
    'OR',
    'NOT',
    '(',
    ')',
    '"',
    '“',
    '*',
    'am*',
    '"amber birch"',
    'NEAR(',
    '^',
    '{a b}:',
    '-',
    '--',
  ),
  fc.constantFrom(
    'type:text',
    'type:heading,code',
    'path:0',
    'path:*ä*',
    'kind:source',
    'kind:x',
    'tag:t1',
    'since:1d',
    'pinned:no',
    'type:',
    'since:9',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
)
const anyQuery = fc.oneof(
  { weight: 4, arbitrary: fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(' ')) },
  fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc
    .tuple(fc.array(piece, { minLength: 1, maxLength: 6 }), fc.integer({ min: 100, max: 3000 }))
    .map(([parts, times]) => `${parts.join(' ')} `.repeat(times)),
)
/** Words of the memory, mostly: something is found. */
const wordQuery = fc
  .array(fc.oneof({ weight: 5, arbitrary: word }, piece), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(' '))

/** The same for every search: `since:1d` is an answer to a time. */
const now = () => Date.UTC(2026, 0, 1)
const ask = (memory: Memory, query: string, more = {}) => memory.search({ query, warm: false, ...more })
const cost = (text: string): number => estimateTokens(`${text}\n`)

test('any text has an answer that is well formed', async () => {
  await using at = await openWorkspace(files(), { now })
  await fc.assert(
    fc.asyncProperty(
      anyQuery,
      fc.integer({ min: 1, max: 200 }),
      fc.boolean(),
      async (query, limit, explain) => {
        const answer = await ask(at.memory, query, { limit, explain })
        const { hits, leftOut, searched } = answer
        expect(answer.query).toBe(query)
        expect(hits.length).toBeLessThanOrEqual(limit)
        expect(leftOut).toBeGreaterThanOrEqual(0)
        expect(searched.matched).toBeLessThanOrEqual(searched.nodes)
        expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length)
        if (hits.length === 0) expect(searchText(answer)).toMatch(/^no results\n./)
        if (hits.length < limit && searched.complete) expect(leftOut).toBe(0)
        for (const [place, hit] of hits.entries()) {
          expect(hit.score).toBeGreaterThanOrEqual(0)
          expect(hit.score).toBeLessThanOrEqual(hits[place - 1]?.score ?? Number.POSITIVE_INFINITY)
          expect(hit.snippet.length).toBeLessThanOrEqual(200)
          expect(hit.snippet.isWellFormed()).toBe(true)
          let end = 0
          for (const [from, to] of hit.matches) {
            expect(from).toBeGreaterThanOrEqual(end)
            expect(to).toBeGreaterThan(from)
            end = to
          }
          expect(end).toBeLessThanOrEqual(hit.snippet.length)
        }
        expect(await ask(at.memory, query, { limit, explain })).toEqual(answer)
      },
    ),
    // Most of the best stand only beside the word: the others must be looked at too.
    { numRuns: 250 * RUNS, examples: [['type:heading,code 東京都', 8, false]] },
  )
}, 120_000)

test('what is printed is lines that rule no terminal', async () => {
  await using at = await openWorkspace(files(), { now })
  await fc.assert(
    fc.asyncProperty(wordQuery, fc.boolean(), async (query, explain) => {
      const text = searchText(await ask(at.memory, query, { explain }))
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e\u2028]/u)
    }),
    { numRuns: 50 * RUNS },
  )
})

test('the text stays within the budget, and has the best hit whenever something is found', async () => {
  await using at = await openWorkspace(files(), { now })
  const budgets = fc.oneof(
    fc.integer({ min: MIN_BUDGET, max: 120 }),
    fc.integer({ min: MIN_BUDGET, max: 3000 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(wordQuery, anyQuery), budgets, fc.boolean(), async (query, budget, explain) => {
      const whole = await ask(at.memory, query, { explain, limit: 20 })
      const answer = await ask(at.memory, query, { budget, explain, limit: 20 })
      expect(cost(searchText(answer))).toBeLessThanOrEqual(budget)
      expect(answer.hits.map(({ id }) => id)).toEqual(
        whole.hits.slice(0, answer.hits.length).map(({ id }) => id),
      )
      expect(answer.hits.length).toBeGreaterThanOrEqual(Math.min(1, whole.hits.length))
      expect(answer.hits.length + answer.leftOut).toBe(whole.hits.length + whole.leftOut)
      for (const [place, hit] of answer.hits.entries()) {
        expect(hit.cut === true || hit).toEqual(hit.cut === true || whole.hits[place])
        for (const [, end] of hit.matches) expect(end).toBeLessThanOrEqual(hit.snippet.length)
      }
      const isAllThere = cost(searchText(whole)) <= budget
      if (isAllThere) expect(answer).toEqual(whole)
    }),
    { numRuns: 300 * RUNS },
  )
}, 120_000)

test('reading a node never makes it rank lower', async () => {
  await using at = await openWorkspace(files(), { now })
  const place = async (query: string, id: string, limit: number) => {
    const found = (await ask(at.memory, query, { limit })).hits.findIndex((hit) => hit.id === id)
    return found < 0 ? Number.POSITIVE_INFINITY : found
  }
  await fc.assert(
    fc.asyncProperty(wordQuery, fc.nat(), fc.integer({ min: 1, max: 30 }), async (query, which, limit) => {
      const { hits } = await ask(at.memory, query, { limit: 30 })
      if (hits.length === 0) return
      const { id } = hits[which % hits.length] as { id: string }
      const before = await place(query, id, limit)
      await at.memory.fetchBatch({ ids: [id] })
      await at.memory.tick()
      expect(await place(query, id, limit)).toBeLessThanOrEqual(before)
    }),
    { numRuns: 40 * RUNS },
  )
})

/** The same memory made of an export. */
async function copied(from: Workspace): Promise<Workspace> {
  let text = ''
  await from.memory.export((piece) => {
    text += piece
  })
  const copy = await openWorkspace({}, { now })
  await copy.memory.import(piecesOf(text))
  return copy
}

test('an imported memory gives the same hits, in the same order, with the same scores', async () => {
  await using at = await openWorkspace(files(), { now })
  const { hits } = await ask(at.memory, 'amber')
  // Nodes that came late, went, or stand elsewhere by now.
  await at.memory.write({ payload: '# amber\n\nA birch under amber.' })
  await at.memory.forget({ id: hits[0]?.id ?? '', mode: 'cascade' })
  await at.memory.rollback({ snapshotId: 1 })
  await at.memory.write({ payload: 'amber birch', parent: hits[1]?.id ?? '' })
  await at.memory.pin({ id: hits[2]?.id ?? '', temperature: 0.9 })
  await using copy = await copied(at)
  await fc.assert(
    fc.asyncProperty(wordQuery, async (query) => {
      const more = { limit: 50, explain: true }
      expect(await ask(copy.memory, query, more)).toEqual(await ask(at.memory, query, more))
    }),
    { numRuns: 60 * RUNS },
  )
})
