import { describe, expect, test } from 'vitest'
import { stem } from '../util/text/stem.ts'
import { TOOLSETS, type Tool } from './model/tool.ts'
import { toolsOf } from './toolsets.ts'

/** What somebody may look for, and the tools that do it; a toolset without one has nothing to be found. */
const WANTED: [query: string, right: string[]][] = [
  ['remember a fact for later', ['MemoryWrite', 'store_memory', 'remember', 'memory']],
  [
    'recall what is known about deploys',
    ['MemorySearch', 'query_memories', 'recall', 'search_memories', 'memory'],
  ],
  ['delete a note', ['MemoryForget', 'delete_memory', 'forget', 'memory']],
  ['undo a change', ['MemoryRollback', 'MemoryRestore', 'update_memory', 'restore_memory', 'memory']],
]

/** What a program searches: Codex the description, Claude Code also the hint. */
const SEARCHED: [program: string, textOf: (tool: Tool) => string][] = [
  ['the description', ({ name, description }) => `${name} ${description}`],
  ['the hint too', ({ name, description, hint }) => `${name} ${description} ${hint}`],
]

const ENGLISH = new Set('a about for is it of or that the to what with'.split(' '))
const plainWords = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? []
const stems = (text: string): string[] =>
  plainWords(text)
    .filter((word) => !ENGLISH.has(word))
    .map((word) => stem(word))

/** Okapi BM25 with the usual parameters: the names, best first, of those that match at all. */
function found(tools: readonly Tool[], textOf: (tool: Tool) => string, wordsOf: typeof stems, query: string) {
  const documents = tools.map((tool) => ({ name: tool.name, words: wordsOf(textOf(tool)) }))
  const mean = documents.reduce((sum, { words }) => sum + words.length, 0) / documents.length
  const scoreOf = (words: string[]): number =>
    wordsOf(query).reduce((score, asked) => {
      const having = documents.filter((one) => one.words.includes(asked)).length
      const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))
      const times = words.filter((word) => word === asked).length
      return score + (rarity * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * words.length) / mean))
    }, 0)
  return documents
    .map(({ name, words }) => ({ name, score: scoreOf(words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ name }) => name)
}

describe.each(SEARCHED)('a search for tools by words that reads %s', (_, textOf) => {
  describe.each([
    ['as they are', plainWords],
    ['by their stems', stems],
  ])('words %s', (_words, wordsOf) => {
    const cases = [...TOOLSETS, 'all'].flatMap((toolset) =>
      WANTED.map(([query, right]) => [toolset, query, right] as const),
    )
    test.each(cases)('%s: %j finds the right tool among the first three', (toolset, query, right) => {
      const first = found(toolsOf([toolset]), textOf, wordsOf, query).slice(0, 3)
      expect(
        first.filter((name) => right.includes(name)),
        first.join(', '),
      ).not.toEqual([])
    })
  })
})

/** Copilot CLI lists by name what a pattern of the model matches: names, descriptions and those of arguments. */
test.each(WANTED)(
  'a search for tools by a pattern of the words of %j lists the right one among the first three',
  (query, right) => {
    const pattern = new RegExp((query.match(/\b(?!what|about)\w{4,}/g) ?? []).join('|'), 'i')
    const first = toolsOf(['tree'])
      .filter(({ name, description, input }) =>
        pattern.test(`${name} ${description} ${JSON.stringify(input.json)}`),
      )
      .map(({ name }) => name)
      .sort()
      .slice(0, 3)
    expect(
      first.filter((name) => right.includes(name)),
      first.join(', '),
    ).not.toEqual([])
  },
)
