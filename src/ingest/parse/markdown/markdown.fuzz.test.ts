import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../../../test/support/parse-options.ts'
import type { Block } from '../../../core/model.ts'
import { ParseError } from '../../../core/parse-error.ts'
import { estimateTokens } from '../../../core/tokens.ts'
import { parseMarkdown } from './markdown.ts'

const MARKS =
  '# |## |- |1. |> |`|```|*|_|[|]|[[|]]|(|)|!|<|>|<div>|<!--|&#13;|&#10;|&amp;|\\|\n|\n\n|\r|\r\n|  |    |\t|---|+++|===|: |a|b c|é|😀|\u0000|\ufeff|"|[x]: y|~'
const markdownish = fc.string({ unit: fc.constantFrom(...MARKS.split('|'), '|'), maxLength: 80 })
const anyText = fc.oneof(
  markdownish,
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ maxLength: 200 }),
)

function parse(text: string, maxNodeTokens: number): Block[] | null {
  try {
    return parseMarkdown(text, parseOptions({ maxNodeTokens }))
  } catch (error) {
    expect(error).toBeInstanceOf(ParseError)
    return null
  }
}

function expectValid(blocks: readonly Block[], maxNodeTokens: number): void {
  for (const block of blocks) {
    expect(estimateTokens(block.text)).toBeLessThanOrEqual(maxNodeTokens)
    expect(block.text).not.toMatch(/\r|\0|\n\n\n|^\n|\n$/)
    expect(block.text.isWellFormed()).toBe(true)
    if (block.type !== 'heading' && block.children.length === 0) expect(block.text).not.toBe('')
    expectValid(block.children, maxNodeTokens)
  }
}

describe('parseMarkdown', () => {
  test('gives valid blocks, the same ones every time, for any text', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 30 }), (text, maxNodeTokens) => {
        const blocks = parse(text, maxNodeTokens)
        if (blocks) expectValid(blocks, maxNodeTokens)
        expect(parse(text, maxNodeTokens)).toEqual(blocks)
      }),
      { numRuns: 3000 },
    )
  })

  test('keeps every word of any nesting of lists and quotations', () => {
    const marker = fc.constantFrom('- ', '> ', '1. ', '  ', '    ', '', '\n')
    const line = fc.array(marker, { maxLength: 40 }).map((markers) => markers.join(''))
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const text = lines.map((prefix, i) => `${prefix}word${i}.`).join('\n')
        const all = JSON.stringify(parse(text, 1000))
        for (const i of lines.keys()) expect(all).toContain(`word${i}.`)
      }),
    )
  })

  const half = 250_000
  test.each([
    ['quotation marks', '>'.repeat(2 * half)],
    ['bullets', '- '.repeat(half)],
    ['quoted bullets', '> - '.repeat(half / 2)],
    ['nested list lines', Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}- a`).join('\n')],
    ['deep quotation lines', `${'> '.repeat(60)}a\n`.repeat(4000)],
    ['definition marks', 'a\n: '.repeat(half / 2)],
    ['brackets', '['.repeat(2 * half)],
    ['bracket pairs', '['.repeat(half) + ']'.repeat(half)],
    ['open wikilinks', '[[a'.repeat(half)],
    ['nested images', `${'!['.repeat(50_000)}${'](a)'.repeat(50_000)}`],
    ['open links', '[a](<b'.repeat(half / 3)],
    ['asterisks', '*'.repeat(2 * half)],
    ['emphasis', '*a **b _c '.repeat(half / 5)],
    ['backticks', '`'.repeat(2 * half)],
    ['backtick runs', Array.from({ length: 1000 }, (_, i) => '`'.repeat(i)).join(' ')],
    ['tags', '<a '.repeat(half)],
    ['comments', '<!--'.repeat(half / 2)],
    ['backslashes', '\\'.repeat(2 * half)],
    ['table rules', 'a|b\n-|-\n|\n'.repeat(half / 5)],
    ['reference starts', '[a\n'.repeat(half / 2)],
    ['spaces in a heading', `# a${' '.repeat(2 * half)}*b*`],
    ['newlines in nested code', `- \`\`\`\n  a${'\n'.repeat(2 * half)}  b`],
    ['front matter brackets', `---\n${'['.repeat(2 * half)}\n---\n`],
  ])('takes bounded time and stack on half a megabyte of %s', (_case, text) => {
    const blocks = parse(text, 1000)
    if (blocks) expectValid(blocks, 1000)
  })
})
