import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../../../test/support/parse-options.ts'
import type { FileProblem } from '../../../core/compile/source-folder.ts'
import { labelOf } from '../../../core/label.ts'
import type { Block } from '../../../core/model.ts'
import { ParseError } from '../../../core/parse-error.ts'
import { frontMatterBlocks, splitFrontMatter } from './front-matter.ts'
import { parseMarkdown } from './markdown.ts'

const parse = (text: string) => parseMarkdown(text, parseOptions())
const problemOf = (text: string): FileProblem => {
  const problems: FileProblem[] = []
  parseMarkdown(text, { ...parseOptions(), warn: (problem) => problems.push(problem) })
  expect(problems).toHaveLength(1)
  return problems[0] as FileProblem
}

describe('splitFrontMatter', () => {
  test.each([
    ['YAML', '---\na: 1\n---\nbody', { language: 'yaml', source: 'a: 1' }, 'body'],
    ['TOML', '+++\na = 1\n+++\nbody', { language: 'toml', source: 'a = 1' }, 'body'],
    ['a block that ends the file', '---\na: 1\n---', { language: 'yaml', source: 'a: 1' }, ''],
  ])('takes off %s', (_case, text, frontMatter, body) => {
    expect(splitFrontMatter(text)).toEqual({ frontMatter, body })
  })

  test.each([
    ['no front matter', 'a: 1\n---\n'],
    ['a block that is not closed', '---\na: 1\n'],
    ['a block without a line', '---\n---\nbody'],
    ['a first closing line that is not clean', '---\na: 1\n----\nb: 2\n---\n'],
    ['a closing line with a space', '---\na: 1\n--- \nbody'],
    ['another closing delimiter', '---\na: 1\n+++\nbody'],
    ['a block that is not at the start', '\n---\na: 1\n---\n'],
  ])('leaves %s in the body', (_case, text) => {
    expect(splitFrontMatter(text)).toEqual({ frontMatter: null, body: text })
  })

  test('loses nothing but the delimiters of any text', () => {
    const unit = fc.constantFrom('---', '+++', '\n', 'a', ' ')
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const { frontMatter, body } = splitFrontMatter(text)
        const delimiter = frontMatter?.language === 'toml' ? '+++' : '---'
        const whole = frontMatter ? `${delimiter}\n${frontMatter.source}\n${delimiter}\n${body}` : body
        // The last newline is not there when the closing delimiter ends the file.
        expect([whole, whole.slice(0, -1)]).toContain(text)
      }),
    )
  })
})

describe('YAML front matter', () => {
  test('becomes a preamble before the body, not its parent', () => {
    const [preamble, heading] = parse('---\ntitle: T\ndraft: true\n---\n# H\n')
    expect(preamble).toEqual({
      type: 'preamble',
      format: 'plain',
      text: 'draft: true\ntitle: T',
      children: [],
    })
    expect(heading).toMatchObject({ type: 'heading', text: 'H' })
  })

  test('is recognised after a BOM and with CRLF line ends', () => {
    expect(parse('\ufeff---\r\na: 1\r\n---\r\nbody\r\n').map(({ text }) => text)).toEqual(['a: 1', 'body'])
  })

  test('has large values as children and all keys in its label', () => {
    const [preamble] = parse('---\ntitle: T\ntags: [a, b, c, d, e]\n---\n')
    expect(preamble).toMatchObject({ text: 'title: T', label: 'Preamble: tags, title' })
    expect(preamble?.children).toMatchObject([{ type: 'list', format: 'toon', text: 'tags[5]: a,b,c,d,e' }])
  })

  test('keeps numbers and dates as written', () => {
    const [preamble] = parse(
      '---\nversion: 1.10\nid: 12345678901234567890\ndate: 2024-01-02\nzip: 007\n---\n',
    )
    expect(preamble?.text).toBe('date: 2024-01-02\nid: 12345678901234567890\nversion: 1.10\nzip: 007')
  })

  test('reads ordinary anchors, merges and unknown tags', () => {
    const [preamble] = parse('---\na: &x {k: 1}\nb: {<<: *x, l: 2}\nc: !secret s\nd: !!int 3\ne: ~\n---\n')
    expect(preamble?.text).toBe('a:\n  k: 1\nb:\n  k: 1\n  l: 2\nc: s\nd: 3\ne: null')
  })

  test('gives no node when it holds only comments', () => {
    expect(parse('---\n# nothing\n---\nbody')).toMatchObject([{ type: 'text', text: 'body' }])
  })

  test('that is invalid is a warning with the line of the file', () => {
    expect(problemOf('---\nok: 1\nbad: [1\n---\n').line).toBeGreaterThanOrEqual(3)
    expect(problemOf('---\na: 1\nb: 2\na: 3\n---\n')).toEqual({
      line: 4,
      reason: 'invalid YAML: duplicated mapping key; the front matter is kept as text',
    })
  })

  test('does not read aliases that expand without measure, by line', () => {
    const laughs = Array.from(
      { length: 12 },
      (_, i) => `l${i}: &l${i} [${i === 0 ? 'lol' : `*l${i - 1}, `.repeat(10)}]`,
    )
    const error = problemOf(`---\n${laughs.join('\n')}\n---\n`)
    expect(error.reason).toContain('aliases expand')
    expect(error.line).toBeGreaterThan(2)
  })

  test('does not read aliases that nest without end or contain themselves', () => {
    const chain = Array.from({ length: 500 }, (_, i) => `k${i}: &a${i} [${i === 0 ? 'x' : `*a${i - 1}`}]`)
    expect(problemOf(`---\n${chain.join('\n')}\n---\n`).reason).toContain('nested deeper')
    expect(problemOf('---\na: &a [*a]\n---\n')).toMatchObject({ line: 2 })
    expect(problemOf(`---\n${'['.repeat(100_000)}\n---\n`)).toMatchObject({ line: 2 })
  })

  test('of more than a megabyte is not read as such', () => {
    expect(problemOf(`---\n${'a: b\n'.repeat(300_000)}---\n`).reason).toContain('at most')
  })
})

describe('invalid front matter', () => {
  test.each([
    ['a colon in a value', 'title: Meeting: Q3\ntags: [q3]'],
    ['a reserved character', 'author: @me\ntags: [q3]'],
    ['a duplicate key', 'a: 1\na: 2'],
    ['a tab', 'a:\n\t- b'],
    ['a backtick', 'title: `code`'],
  ])('costs a warning, never the body: %s', (_case, source) => {
    problemOf(`---\n${source}\n---\n# H\n\nBody.\n`)
    const [preamble, heading] = parse(`---\n${source}\n---\n# H\n\nBody.\n`)
    expect(preamble).toMatchObject({ type: 'preamble', text: source, children: [] })
    expect(heading).toMatchObject({ type: 'heading', text: 'H', children: [{ text: 'Body.' }] })
  })
})

describe('TOML front matter', () => {
  test('is kept as written, with its keys in the label', () => {
    const [preamble] = parse('+++\n\ntitle = "A: b"\n[params]\nx = 12345678901234567890\n\n+++\nbody')
    expect(preamble).toMatchObject({
      type: 'preamble',
      text: 'title = "A: b"\n[params]\nx = 12345678901234567890',
      label: 'Preamble: title, params',
    })
  })

  test('that is invalid is a warning with the line of the file', () => {
    expect(problemOf('+++\na = 1\nb = \n+++\n').line).toBe(3)
    expect(problemOf(`+++\na = ${'['.repeat(100_000)}\n+++\n`).line).toBe(2)
  })

  test('gives no node when it is blank', () => {
    expect(frontMatterBlocks({ language: 'toml', source: '\n \n' }, parseOptions())).toEqual([])
  })
})

test('front matter gives at most a preamble with a label, or a ParseError, for any text', () => {
  const unit = fc.constantFrom(
    'a',
    ': ',
    '\n',
    '- ',
    '[',
    ']',
    '{',
    '}',
    '&a ',
    '*a ',
    '  ',
    '"',
    "'",
    '|',
    '!',
    '=',
    '?',
  )
  fc.assert(
    fc.property(
      fc.constantFrom('yaml' as const, 'toml' as const),
      fc.string({ unit }),
      (language, source) => {
        let blocks: Block[]
        try {
          blocks = frontMatterBlocks({ language, source }, parseOptions())
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError)
          expect((error as ParseError).line).toBeGreaterThan(0)
          return
        }
        for (const block of blocks) {
          expect(block.type).toBe('preamble')
          expect(block.label ?? labelOf(block)).toMatch(/^Preamble/)
        }
      },
    ),
    { numRuns: 1000 },
  )
})

test('warnings say nothing of the text', () => {
  const unit = fc.constantFrom(
    'zqzq',
    ': ',
    ' = ',
    '\n',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '&',
    '*',
    '!',
    '- ',
    '.',
    ',',
    '1',
    '#',
    '|',
  )
  fc.assert(
    fc.property(fc.constantFrom('---', '+++'), fc.string({ unit, maxLength: 20 }), (delimiter, source) => {
      const warn = ({ reason }: FileProblem): void => expect(reason).not.toContain('zqzq')
      parseMarkdown(`${delimiter}\n${source}\n${delimiter}\n`, { ...parseOptions(), warn })
    }),
    { numRuns: 3000 },
  )
})
