import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseQuery } from './query/query.ts'
import { snippetMaker } from './snippet.ts'

const unitsOf = (query: string) => parseQuery(query, { now: 0 }).units

/** The snippet with brackets around matches. */
function marked(text: string, query: string, maxChars?: number): string {
  const snippet = snippetMaker(unitsOf(query), maxChars)(text)
  let shown = ''
  let at = 0
  for (const [start, end] of snippet.matches) {
    shown += `${snippet.text.slice(at, start)}[${snippet.text.slice(start, end)}]`
    at = end
  }
  return shown + snippet.text.slice(at)
}

const filler = (length: number) =>
  'lorem '
    .repeat(Math.ceil(length / 6))
    .slice(0, length)
    .trim()

describe('a snippet', () => {
  test.each([
    ['of a short text is all of it, on one line', ' One\n\n two\tthree ', '', 'One two three'],
    ['has one space for any white space', 'a\u00a0b\u2003\u2003c  d\re', '', 'a b c d e'],
    ['of nothing is nothing', '', 'x', ''],
    ['marks every form of a word', 'Running runs; he ran', 'run', '[Running] [runs]; he ran'],
    ['marks phrases as a whole', 'the rate limit, the rate', '"rate limit"', 'the [rate limit], the rate'],
    [
      'marks a phrase joined by punctuation as a whole',
      'use rate-limit 1.2',
      'rate-limit',
      'use [rate-limit] 1.2',
    ],
    ['marks words with a prefix', 'configuration of configs', 'config*', '[configuration] of [configs]'],
    ['marks a prefix after other words', 'rate limiter', 'rate-lim*', '[rate limiter]'],
    ['marks the original text, folded or not', 'Ein CAFÉ und ﬁne', 'café fine', 'Ein [CAFÉ] und [ﬁne]'],
    ['marks words in texts without spaces', '新しい東京都のサーバー', '東京', '新しい[東京]都のサーバー'],
    ['marks emoji', 'done 👍🏽!', '👍', 'done [👍🏽]!'],
    ['marks overlapping matches once', 'rate limit', '"rate limit" limit', '[rate limit]'],
    ['marks no stop words beside others', 'the cat and the dog', 'the cat', 'the [cat] and the dog'],
    ['marks stop words if there is nothing else', 'the cat', 'the', '[the] cat'],
    ['does not mark excluded words', 'cat and dog', 'cat NOT dog', '[cat] and dog'],
  ])('%s', (_, text, query, expected) => {
    expect(marked(text, query)).toBe(expected)
  })

  test('without a match is the beginning, cut after a word', () => {
    expect(marked('alpha beta gamma delta epsilon', 'x', 20)).toBe('alpha beta gamma…')
  })

  test('has the words around the match, cut between words', () => {
    expect(marked(`${filler(300)} here is the needle in hay ${filler(300)}`, 'needle', 50)).toBe(
      '…here is the [needle] in hay lorem lorem lorem…',
    )
  })

  test('shows the place with most of the words, not the first', () => {
    const text = `red ${filler(300)} blue ${filler(20)} red and green ${filler(300)} red green`
    expect(marked(text, 'red green blue', 80)).toContain('[blue] lorem lorem lorem lo [red] and [green]')
  })

  test('shows the first of equally good places', () => {
    expect(marked(`${filler(300)} one needle ${filler(300)} two needle`, 'needle', 60)).toContain(
      'one [needle]',
    )
  })

  test('may reach the end of the text', () => {
    expect(marked(`${filler(300)} the end`, 'end', 40)).toMatch(/^….*the \[end\]$/)
  })

  test('cuts a word that is too long between characters', () => {
    expect(marked('x'.repeat(500), 'none', 20)).toBe(`${'x'.repeat(18)}…`)
    const family = '👨‍👩‍👧'
    const { text } = snippetMaker([], 50)(family.repeat(30))
    expect(text).toBe(`${family.repeat(6)}…`)
  })

  test('marks the visible part of a match that is longer than the snippet', () => {
    expect(marked(`${filler(100)} ${'y'.repeat(500)}`, 'y'.repeat(500), 30)).toBe(`…[${'y'.repeat(28)}]…`)
  })

  test('searches the first 100,000 characters', () => {
    expect(marked(`${filler(100_000)} needle`, 'needle', 20)).toBe('lorem lorem lorem…')
  })
})

test('any text has a snippet that fits, with marks in order', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc
      .array(
        fc.constantFrom('red', 'Greens', 'blue-red', '東京都', '👍🏽', '🇩🇪', ' ', '\n', 'x'.repeat(90), 'é'),
        { maxLength: 80 },
      )
      .map((parts) => parts.join(' ')),
  )
  const query = fc.oneof(fc.constantFrom('red green', '"blue red"', 'gre*', '東京 👍', 'x* red', ''), text)
  fc.assert(
    fc.property(text, query, fc.integer({ min: 16, max: 120 }), (source, asked, maxChars) => {
      const snippet = snippetMaker(unitsOf(asked), maxChars)(source)
      expect(snippet.text.length).toBeLessThanOrEqual(maxChars)
      expect(snippet.text.isWellFormed()).toBe(true)
      expect(snippet.text).not.toMatch(/[\n\r\t]| {2}/)
      let last = 0
      for (const [start, end] of snippet.matches) {
        expect(start).toBeGreaterThanOrEqual(last)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(snippet.text.length)
        last = end
      }
    }),
    { numRuns: 1000 },
  )
})
