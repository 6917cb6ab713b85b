import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MIN_BUDGET } from '../../src/core/find/budget.ts'
import { MAX_LIMIT, type SearchAnswer } from '../../src/core/find/search-model.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { openIn, openWorkspace, temporaryFolder } from '../support/engine.ts'
import { RUNS } from '../support/engine-documents.ts'
import { ask } from '../support/search.ts'

const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember']
const word = fc.constantFrom(...WORDS)
const sentence = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const block = fc.oneof(
  { weight: 6, arbitrary: sentence },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('#', '##', '###'), sentence).map((parts) => parts.join(' ')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('Nothing of note.', '#todo amber', '- birch\n- cedar', '```js\ndelta()\n```'),
  },
)
const note = fc
  .tuple(fc.boolean(), fc.array(block, { minLength: 1, maxLength: 25 }))
  .map(([isTagged, blocks]) => `${isTagged ? '---\ntags: [old]\n---\n' : ''}${blocks.join('\n\n')}\n`)
/** Few common words, many repetitions: most nodes are as good as many others. */
const vault = fc
  .array(note, { minLength: 1, maxLength: 60 })
  .map((notes) =>
    Object.fromEntries(notes.map((text, at) => [`${at % 3 === 0 ? 'archive/' : ''}${at}.md`, text])),
  )

const term = fc.oneof(
  { weight: 5, arbitrary: word },
  fc.constantFrom('"amber birch"', 'am*', '#todo', 'the', 'nowhere'),
)
const filter = fc.constantFrom(
  'type:text',
  'type:heading,list',
  'path:archive',
  'path:1*.md',
  'tag:old',
  'tag:todo',
  'pinned:no',
  'NOT path:archive',
  '(tag:old OR type:list)',
)
const query = fc.oneof(
  { weight: 4, arbitrary: fc.array(term, { minLength: 1, maxLength: 4 }).map((terms) => terms.join(' ')) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.array(term, { maxLength: 3 }), fc.array(filter, { minLength: 1, maxLength: 2 }))
      .map((parts) => parts.flat().join(' ')),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(term, fc.constantFrom('AND', 'OR', 'NOT'), term, fc.option(filter, { nil: '' }))
      .map((parts) => parts.join(' ')),
  },
)
const limit = fc.oneof(fc.integer({ min: 1, max: 25 }), fc.integer({ min: 1, max: MAX_LIMIT }))

async function expectFirst(
  memory: Memory,
  text: string,
  limits: readonly number[],
  more = {},
): Promise<void> {
  const whole = await ask(memory, text, { limit: MAX_LIMIT, ...more })
  for (const count of limits) {
    const { hits, leftOut } = await ask(memory, text, { limit: count, ...more })
    expect(hits, `${text} --limit ${count}`).toEqual(whole.hits.slice(0, count))
    expect(hits.length + leftOut, text).toBe(whole.hits.length + whole.leftOut)
  }
}

/** One that has every word, or one of them in a long text, hot or cold: by score and by relevance the order is not the same. */
const unequal = fc.record({
  text: fc
    .tuple(fc.subarray(WORDS, { minLength: 1 }), fc.constantFrom(0, 60, 120))
    .map(([words, length]) => `${words.join(' ')} ${'filler '.repeat(length)}\n`),
  temperature: fc.constantFrom(0, 0.5, 1),
})

async function allOf(memory: Memory, text: string): Promise<string[]> {
  return (await ask(memory, text, { limit: MAX_LIMIT })).hits.map(({ id }) => id)
}

/** What somebody finds who goes on from page to page as the answers say. */
async function pagesOf(memory: Memory, text: string): Promise<string[]> {
  const ids: string[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const page: SearchAnswer = await ask(memory, text, offset === 0 ? {} : { offset })
    ids.push(...page.hits.map(({ id }) => id))
    offset = page.next
  }
  return ids
}

describe('search returns the k best hits at any limit', () => {
  test('in vaults of few common words, some of them read more than others', async () => {
    await fc.assert(
      fc.asyncProperty(
        vault,
        fc.array(fc.tuple(query, fc.array(limit, { minLength: 1, maxLength: 4 })), {
          minLength: 6,
          maxLength: 12,
        }),
        async (files, asked) => {
          await using at = await openWorkspace(files)
          for (const [text, limits] of asked) await expectFirst(at.memory, text, limits)
          const { hits } = await ask(at.memory, 'birch cedar', { limit: 30 })
          const read = hits.slice(10, 20).map(({ id }) => id)
          if (read.length > 0) await at.memory.fetchBatch({ ids: read })
          await at.memory.tick()
          for (const [text, limits] of asked) await expectFirst(at.memory, text, limits)
        },
      ),
      { numRuns: 8 * RUNS },
    )
  }, 240_000)

  test('within a budget', async () => {
    await using at = await openWorkspace({
      'a.md': Array.from({ length: 120 }, (_, i) => `${WORDS[i % 5]} ${WORDS[(i * 3) % 5]} number ${i}`).join(
        '\n\n',
      ),
    })
    await fc.assert(
      fc.asyncProperty(
        query,
        limit,
        fc.integer({ min: MIN_BUDGET, max: 4000 }),
        async (text, count, budget) => {
          const whole = await ask(at.memory, text, { limit: MAX_LIMIT, budget })
          const { hits } = await ask(at.memory, text, { limit: count, budget })
          expect(hits).toEqual(whole.hits.slice(0, count))
        },
      ),
      { numRuns: 100 * RUNS },
    )
  }, 120_000)

  test('without a limit it is the beginning of that, and its pages together are all of it', async () => {
    const others = Array.from({ length: 40 }, (_, at) => [
      `other/${at}.md`,
      `Nothing of note, number ${at}.\n`,
    ])
    await fc.assert(
      fc.asyncProperty(fc.array(unequal, { minLength: 5, maxLength: 20 }), async (notes) => {
        await using at = await openWorkspace({
          ...Object.fromEntries(others),
          ...Object.fromEntries(notes.map(({ text }, i) => [`${10 + i}.md`, text])),
        })
        const { nodes } = await at.memory.tree({ depth: 0, limit: notes.length })
        for (const [i, { id }] of nodes.entries())
          await at.memory.pin({ id, temperature: notes[i]?.temperature ?? 0 })
        for (const text of ['amber birch cedar', 'cedar delta', WORDS.join(' ')])
          expect(await pagesOf(at.memory, text)).toEqual(await allOf(at.memory, text))
      }),
      { numRuns: 10 * RUNS },
    )
  }, 120_000)

  test('in our own documentation', async () => {
    await using memory = await openIn(temporaryFolder())
    await memory.compile(join(import.meta.dirname, '../../docs'))
    const texts = [
      'heat',
      'search limit',
      'memory of agents',
      'how is a node matched',
      'compile folder files',
      'type:code npm run',
      'snapshot rollback history',
      'path:doors key value',
      'tokens budget',
      'remindb serve http',
      'error NOT memory',
      'settings AND default',
      'a file that is not read',
      'database',
      'tag:todo',
      'type:heading',
      'redis OR sqlite',
    ]
    for (const text of texts) await expectFirst(memory, text, [1, 2, 3, 5, 8, 13, 25, 50, 120])
  }, 120_000)
})

describe('equal hits are ordered', () => {
  const order = async (files: Record<string, string>, text: string): Promise<string[]> => {
    await using at = await openWorkspace(files)
    return (await ask(at.memory, text, { limit: 50 })).hits.map(({ path }) => path)
  }

  test('by how near the words are to each other', async () => {
    const files = {
      'a.md': 'amber one two three four five birch\n',
      'b.md': 'one amber birch two three four five\n',
      'c.md': 'amber one two birch three four five\n',
    }
    expect(await order(files, 'amber birch')).toEqual(['b.md', 'c.md', 'a.md'])
    expect(await order(files, 'amber AND birch')).toEqual(['b.md', 'c.md', 'a.md'])
  })

  test('then by length, the shorter first, then by path', async () => {
    const files = {
      'd.md': 'amber birch\n',
      'a.md': 'amber birch and a good deal more than that\n',
      'c.md': 'amber birch\n',
      'b/b.md': 'amber birch\n',
    }
    expect(await order(files, 'amber birch')).toEqual(['b/b.md', 'c.md', 'd.md', 'a.md'])
    expect(await order(files, 'birch')).toEqual(['b/b.md', 'c.md', 'd.md', 'a.md'])
  })

  test('a path decides whichever file came first', async () => {
    await using at = await openWorkspace({ 'z.md': 'amber birch\n' })
    await at.compile({ 'a.md': 'birch amber\n' })
    expect((await ask(at.memory, 'amber')).hits.map(({ path }) => path)).toEqual(['a.md', 'z.md'])
  })

  test('in one document by their place in it', async () => {
    await using at = await openWorkspace({ 'a.md': 'amber 1\n\nbirch\n\ndelta\n\namber 4\n' })
    await at.compile({ 'a.md': 'amber 0\n\namber 1\n\nbirch\n\ndelta\n\namber 4\n' })
    expect((await ask(at.memory, 'amber')).hits.map(({ label }) => label)).toEqual([
      'amber 0',
      'amber 1',
      'amber 4',
    ])
  })
})

test('a node that is read a lot is found among many older ones with the same word', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 900 }, (_, at) => [`${at}.md`, `amber number ${at}\n`]),
  )
  await using at = await openWorkspace(files)
  const [last] = (await ask(at.memory, '"number 899"')).hits
  await at.memory.fetchBatch({ ids: [last?.id ?? ''] })
  await at.memory.tick()
  expect((await ask(at.memory, 'amber', { limit: 1 })).hits[0]?.id).toBe(last?.id)
}, 60_000)
