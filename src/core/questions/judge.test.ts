import { describe, expect, test } from 'vitest'
import { containsWords, placeOf } from './judge.ts'

const hit = (given: object) => {
  return { id: 'a', type: 'text', label: '', path: 'a.md', snippet: '', text: '', ...given }
}

describe('words', () => {
  test.each([
    ['Refunds take 30 days.', '30 days'],
    ['Refunds take\n  30   days.', '30 days'],
    ['ASK ADA', 'ada'],
    ['Zoë decides', 'zoe'],
    ['die Straße', 'strasse'],
    ['使用蓝色的门', '蓝色'],
    ['set `max_retries` to 6', 'max_retries'],
    ['a C++ compiler', 'c++'],
    ['say "yes".', '"yes"'],
  ])('in %j are %j', (text, words) => {
    expect(containsWords(text, words)).toBe(true)
  })

  test.each([
    ['Refunds take 130 days.', '30 days'],
    ['Refunds take 30 daysish.', '30 days'],
    ['30 working days', '30 days'],
    ['concatenate', 'cat'],
    ['𝐚x', 'x'],
    ['', 'x'],
  ])('in %j are not %j', (text, words) => {
    expect(containsWords(text, words)).toBe(false)
  })

  test('may come again after a place where they are part of a longer word', () => {
    expect(containsWords('15 days, then 5 days', '5 days')).toBe(true)
  })
})

describe('the place of an item', () => {
  const hits = [
    hit({ id: 'a', path: 'docs/a.md', label: 'Colours' }),
    hit({ id: 'b', path: 'docs/deep/b.md', text: 'The door is blue.' }),
    hit({ id: 'c', path: 'c.md', snippet: '… a red roof' }),
  ]

  test.each([
    ['node', 'b', 2],
    ['node', 'x', undefined],
    ['path', 'docs/deep/b.md', 2],
    ['path', 'b.md', undefined],
    ['path', 'docs/', 1],
    ['path', 'docs/deep/', 2],
    ['path', 'doc', undefined],
    ['word', 'colours', 1],
    ['word', 'blue', 2],
    ['word', 'red roof', 3],
    ['word', 'green', undefined],
  ] as const)('%s %s is %s', (kind, value, place) => {
    expect(placeOf({ kind, value }, hits)).toBe(place)
  })
})
