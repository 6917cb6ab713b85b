import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Unit } from './query/query-model.ts'
import { wordsOf } from './query/words.ts'
import { matcherOf } from './unit-matches.ts'

const ENDINGS = [
  '',
  's',
  'ed',
  'ing',
  'y',
  'ies',
  'ational',
  'ization',
  'fulness',
  'ability',
  'e',
  "'s",
  "n't",
  "'re",
  "'ll",
]
const stems = fc.constantFrom(
  'retr',
  'happ',
  'relat',
  'hop',
  'run',
  'possib',
  'c',
  'o',
  'v1',
  'sens',
  'agree',
  'th',
  're',
  'll',
)
const words = fc.tuple(stems, fc.constantFrom(...ENDINGS)).map((parts) => parts.join(''))
const gaps = fc.constantFrom(' ', '. ', '-', '_', "'", '/', '++ ', '#', '\n', '(', ' é ')

const unit = (text: string): Unit[] =>
  wordsOf(text).map(({ word }) => ({
    kind: 'word',
    words: [word],
    shown: word,
    isStopWord: false,
    isExcluded: false,
  }))

/** Word by word, with the tokenizer. */
function plainly(text: string, units: readonly Unit[]) {
  return wordsOf(text).flatMap(({ word, start, end }) =>
    units.flatMap(({ words: [wanted] }, at) => (wanted === word ? [{ unit: at, start, end }] : [])),
  )
}

test('the fast path for plain text finds the same matches as the tokenizer', () => {
  const texts = fc.array(fc.tuple(words, gaps)).map((parts) => parts.flat().join(''))
  fc.assert(
    fc.property(texts, fc.array(words, { minLength: 1, maxLength: 3 }), (text, asked) => {
      const units = [...new Map(asked.flatMap(unit).map((one) => [one.words[0], one])).values()]
      expect(matcherOf(units)(text)).toEqual(plainly(text, units))
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ["retr_o'possib", 'possib'],
  ["we'll", 'll'],
  ["you're", 're'],
  ["they've", 've'],
])('%j does not have the word %j, on the fast path and with the tokenizer', (text, word) => {
  expect(plainly(text, unit(word))).toEqual([])
  expect(matcherOf(unit(word))(text)).toEqual([])
})

test('an English text has the same matches on the fast path and with the tokenizer', () => {
  const text = 'Retries are capped at five; retrying happens happily. Relations relate relational tables.'
  const units = unit('retry happy relation')
  expect(matcherOf(units)(text)).toEqual(plainly(text, units))
  expect(matcherOf(units)(text)).toHaveLength(5)
})
