import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isStopWord } from './stop-words.ts'
import { indexForm, wordsOf } from './words.ts'

/** Any code units at all; what people write; and what takes folding. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          "it's",
          'don’t',
          "O'Reilly",
          'C++',
          'c#',
          'Straße',
          'Łódź',
          'ﬁne',
          '１２',
          'İ',
          '½',
          '㎏',
          'ﷺ',
          'ſ',
          'ŉ',
          'ΟΔΟΣ',
          'Foo™',
        ],
        ...[
          '日本',
          'サーバー',
          'ｶﾞ',
          'が',
          'か\u3099',
          'น้ำ',
          'นํา',
          'ລໍາ',
          '한',
          '한'.normalize('NFD'),
          'ㅎㅏㄴ',
          'ﾡ',
          'हिन्दी',
          'ড়',
        ],
        ...[
          'كِتَابٌ',
          'می\u200cخواهم',
          'שָׁלוֹם',
          '👨‍👩‍👧',
          '👍🏽',
          '🇩🇪',
          '🇩',
          '❤️‍🔥',
          '🙂‍↔️',
          '1️⃣',
          '™\u200d👍',
          '㊗️',
        ],
        ...[
          '#tag',
          '#a/b-c',
          '(',
          ' ',
          '\n',
          '\u00a0',
          '-',
          '_',
          "'",
          '’',
          '#',
          '+',
          '\u200d',
          '\ufe0f',
          '\xad',
          '\u0301',
          '\u0338',
          '\u0e32',
        ],
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
)

function plainWords(text: string): string[] {
  return indexForm(text)
    .split(' ')
    .filter((word) => word !== '' && !word.startsWith('#'))
}

describe('the words of a text', () => {
  test.each([
    ['nothing', '', ''],
    ['case folded', 'Hello WORLD', 'hello world'],
    ['English stems', 'running databases quickly', 'run databas quickli'],
    ['short words as they are', 'is as us', 'is as us'],
    ['split at punctuation', 'rate-limit path/to a_b foo.bar', 'rate limit path to a b foo bar'],
    ['numbers and versions', 'v1.2 50% 3,000', 'v1 2 50 3 000'],
    ['camel case, whole', 'getUserName', 'getusernam'],
    ['languages of one letter', 'C++ C# F# c++17', 'c++ c# f# c++ 17'],
    ['a sharp that is not a language', 'ab# a#b', 'ab a b'],
    [
      'without English suffixes',
      "what's John’s we'll they've I'm she'd you're",
      'what john we thei i she you',
    ],
    ['negations whole', "don’t can't", 'dont cant'],
    ['Irish names whole, elisions apart', "O'Reilly l'homme dogs' 'quoted'", 'oreilli l homm dog quot'],
    ['without accents', 'Ça été naïve İstanbul', 'ca et naiv istanbul'],
    ['letters that do not decompose', 'Straße Łódź smørrebrød', 'strass lodz smorrebrod'],
    ['compatibility forms', 'ﬁne ＡＢＣ １２ ㎏', 'fine abc 12 kg'],
    ['without trademark signs', 'Foo™ bar', 'foo bar'],
    ['every character of Chinese and Japanese', '東京都のサーバー', '東 京 都 の サ ー バ ー'],
    ['half-width letters composed', 'ｶﾞ', 'ガ'],
    ['every syllable of Korean', '한국어', '한 국 어'],
    ['every letter of Thai with its marks', 'สวัสดีน้ำ', 'ส วั ส ดี น้ ำ'],
    ['Arabic without its points', 'كِتَابٌ أحمد', 'كتاب احمد'],
    ['Persian across a non-joiner', 'می\u200cخواهم', 'میخواهم'],
    ['Hebrew without its points', 'שָׁלוֹם', 'שלום'],
    ['Hindi with its signs', 'हिन्दी में', 'हिन्दी में'],
    ['Greek with either final letter', 'ΟΔΟΣ οδός', 'οδοσ οδοσ'],
    ['emoji, apart', '🎉🚀 done', '🎉 🚀 done'],
    ['emoji that are several, whole', '👨‍👩‍👧❤️‍🔥', '👨‍👩‍👧 ❤‍🔥'],
    ['emoji of any skin', '👍🏽 👍', '👍 👍'],
    ['flags', '🇩🇪🇫🇷', '🇩🇪 🇫🇷'],
    ['not the lines of a drawing', '├── src ██', 'src'],
    ['split at a lone surrogate', 'a\ud800b\udc00c', 'a b c'],
  ])('are %s', (_, text, expected) => {
    expect(indexForm(text)).toBe(expected)
  })

  test('are cut at 64 code units, so that a long digest is still found', () => {
    const digest = '0123456789abcdef'.repeat(8)
    expect(indexForm(digest)).toBe(digest.slice(0, 64))
    expect(indexForm(`a${'𐐨'.repeat(40)}`)).toBe(`a${'𐐨'.repeat(31)}`)
    expect(indexForm('q'.repeat(100_000))).toBe('q'.repeat(64))
  })

  test('are the same for more distinct words than the cache holds', () => {
    const letter = (n: number, place: number) => String.fromCharCode(97 + (Math.floor(n / 26 ** place) % 26))
    const many = Array.from(
      { length: 60_000 },
      (_, n) => `${[0, 1, 2, 3].map((place) => letter(n, place)).join('')}ations`,
    )
    expect(indexForm(many.join(' '))).toBe(many.map((word) => indexForm(word)).join(' '))
  })

  test('have positions in the text', () => {
    const text = "Don't  panic: «Ｃafé» 日本 👍🏽!"
    const places = wordsOf(text).map(({ word, start, end }) => [word, text.slice(start, end)])
    expect(places).toEqual([
      ['dont', "Don't"],
      ['panic', 'panic'],
      ['cafe', 'Ｃafé'],
      ['日', '日'],
      ['本', '本'],
      ['👍', '👍🏽'],
    ])
  })
})

describe('tags', () => {
  test.each([
    ['after white space or a bracket', '#run (#two)\n#three', 'run two three #run #two #three'],
    ['with dashes and underscores', '#rate-limit #a_b', 'rate limit a b #rate+limit #a+b'],
    ['with their parent tags', '#a_b/c/d', 'a b c d #a+b #a+b+c #a+b+c+d'],
    ['folded but not stemmed', '#Müllers', 'muller #mullers'],
    ['once', '#a #a #A', 'a a a #a'],
    ['up to a character that a tag cannot have', '#done. #yes-, #no/', 'done ye no #done #yes #no'],
    ['in scripts without spaces', '#日本', '日 本 #日本'],
  ])('are found %s', (_, text, expected) => {
    expect(indexForm(text)).toBe(expected)
  })

  test('are neither headings nor numbers nor parts of words', () => {
    expect(indexForm('# Title\n## More\n#12 a#b x/#c ##d # #')).toBe('titl more 12 a b x c d')
  })

  test('can be given in addition', () => {
    expect(indexForm('#a text', { tags: ['A', 'Machine Learning', '#c/d', '!'] })).toBe(
      'a text #a #machine+learning #c #c+d',
    )
  })
})

describe('for any text', () => {
  test('the index and a query have the same words', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(wordsOf(text).map(({ word }) => word)).toEqual(plainWords(text))
      }),
      { numRuns: 1000 },
    )
  })

  test('words have only allowed characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const word of indexForm(text).split(' ').filter(Boolean)) {
          expect(word).toMatch(/^[a-z0-9+#\u{80}-\u{10ffff}]{1,64}$/u)
          expect(word).not.toMatch(/[\s\p{Lu}]/u)
          expect(word.length).toBeLessThanOrEqual(64)
          expect(word.isWellFormed()).toBe(true)
        }
      }),
    )
  })

  test('positions are in order, inside the text, and give the word again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let last = 0
        for (const { word, start, end } of wordsOf(text)) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          expect(plainWords(text.slice(start, end))).toContain(word)
          last = start
        }
      }),
    )
  })

  test('composed and decomposed have the same words', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(indexForm(text.normalize('NFD'))).toBe(indexForm(text.normalize('NFC')))
      }),
    )
  })
})

test.each(['the', 'What', "don't", 'Don’t', 'how', 'whose', 'i'])('%s is a stop word', (word) => {
  expect(isStopWord(word)).toBe(true)
})

test.each(['database', 'new', 'memory', '', 'über'])('%j is not a stop word', (word) => {
  expect(isStopWord(word)).toBe(false)
})

test('at most thirty marks on one character are folded', () => {
  const word = (marks: number): string => `\u0915${'\u093e'.repeat(marks)}`
  expect(indexForm(word(500))).toBe(indexForm(word(30)))
  expect(indexForm(word(30))).not.toBe(indexForm(word(29)))
  expect(indexForm(`a${'\u{e0061}'.repeat(500)}b`)).toBe('ab')
})
