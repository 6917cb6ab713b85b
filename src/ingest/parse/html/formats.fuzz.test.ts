import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../../../test/support/parse-options.ts'
import type { Block } from '../../../core/model.ts'
import { ParseError } from '../../../core/parse-error.ts'
import { estimateTokens } from '../../../core/tokens.ts'
import type { ParseFormat } from '../../parsers.ts'
import { parseJson, parseJsonLines } from '../data/json.ts'
import { parseToon } from '../data/toon.ts'
import { parseYaml } from '../data/yaml-file.ts'
import { parseHtml } from './html.ts'

interface Target {
  parse: ParseFormat
  /** Building blocks for texts of the format, separated by spaces; a space, a newline and odd characters are added. */
  marks: string
  /** Never refuses a text. */
  isTolerant?: boolean
}

const HTML_TAGS =
  'p div ul ol li dl dt dd table tr td th caption thead h1 h2 pre code a b span blockquote br hr img video svg math mi mrow mfrac semantics annotation script style title template noscript knowledge object select option figure p'
const TARGETS: Record<string, Target> = {
  HTML: {
    parse: parseHtml,
    marks: `${HTML_TAGS.split(' ')
      .flatMap((name) => [`<${name}>`, `</${name}>`])
      .join(
        ' ',
      )} <a_href="x"> <img_src=a> <code_class="language-x"> <br/> <!-- --> <![CDATA[ ]]> < > </ " = [[a;w=2]] [[ ]] &amp; &#13; &#0; &#xd800; &nbsp; & ; a b`,
    isTolerant: true,
  },
  JSON: {
    parse: parseJson,
    marks: '{ } [ ] , : "a" "b" "\\u0000" "\\ud800" "\\r\\n\\n\\n" 1 -0 1.50 1e9 true null " \\ a',
  },
  'JSON lines': { parse: parseJsonLines, marks: '{ } [ ] , : "a" "b" 1 true null {"a":1} {"a":2} " a' },
  YAML: {
    parse: parseYaml,
    marks:
      'a: b: - --- ... & * &x *x ! !a !!int | > ? : , [ ] { } # % " \' << ~ 1 1.50 true "\\0" "\\ud800" "\\r" a',
  },
  TOON: {
    parse: parseToon,
    marks: 'a: b: [2]: a[1]: [1]{a,b}: {x} - , | 1 1.50 "a" " \\ # true null a "\\u0000"',
  },
}
const ODD = [
  ' ',
  '  ',
  '\n',
  '\n\n',
  '\r',
  '\r\n',
  '\t',
  '\0',
  '\ufeff',
  '\u00a0',
  'é',
  '😀',
  '\ud800',
  '\ue000',
]

function textsOf({ marks }: Target): fc.Arbitrary<string> {
  const units = [...marks.split(' ').map((mark) => mark.replaceAll('_', ' ')), ...ODD]
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: fc.constantFrom(...units), maxLength: 40 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    { weight: 1, arbitrary: fc.json() },
  )
}

function parse({ parse, isTolerant }: Target, text: string, maxNodeTokens: number): Block[] | null {
  try {
    return parse(text, parseOptions({ maxNodeTokens }))
  } catch (error) {
    expect(error).toBeInstanceOf(ParseError)
    expect(isTolerant ?? false).toBe(false)
    return null
  }
}

function expectValid(blocks: readonly Block[], maxNodeTokens: number): void {
  for (const block of blocks) {
    if (!isValid(block, maxNodeTokens)) expect.unreachable(JSON.stringify(block))
    expectValid(block.children, maxNodeTokens)
  }
}

function isValid({ text, links, children }: Block, maxNodeTokens: number): boolean {
  return (
    estimateTokens(text) <= maxNodeTokens &&
    !/\r|\0|\n\n\n|^\n|\n$|[ \t]$/.test(text) &&
    text.isWellFormed() &&
    (text !== '' || children.length > 0) &&
    links?.length !== 0
  )
}

function allText(blocks: readonly Block[]): string {
  return blocks.map(({ text, children }) => `${text}\n${allText(children)}`).join('\n')
}

describe.each(Object.entries(TARGETS))('%s', (_name, target) => {
  test('gives valid blocks, the same ones every time, for any text', () => {
    fc.assert(
      fc.property(textsOf(target), fc.integer({ min: 1, max: 30 }), (text, maxNodeTokens) => {
        const blocks = parse(target, text, maxNodeTokens)
        if (blocks) expectValid(blocks, maxNodeTokens)
        expect(parse(target, text, maxNodeTokens)).toEqual(blocks)
      }),
      { numRuns: 3000 },
    )
  })

  test('says nothing of the text in its errors', () => {
    const noisy = textsOf(target).map((text) => text.replaceAll(/[ab]/g, 'zqzq'))
    fc.assert(
      fc.property(noisy, (text) => {
        try {
          target.parse(text, parseOptions())
        } catch (error) {
          expect((error as Error).message).not.toContain('zqzq')
          expect((error as Error).cause).toBeUndefined()
        }
      }),
    )
  })
})

test('HTML keeps every word of any nesting', () => {
  const tag = fc.constantFrom(
    '<div>',
    '<p>',
    '<ul>',
    '<li>',
    '<b>',
    '<td>',
    '<table>',
    '<tr>',
    '</div>',
    '</ul>',
    '</b>',
    '</table>',
    '<blockquote>',
    '<dl>',
    '<dt>',
    '<dd>',
    '<h2>',
    '</h2>',
    '<a href="x">',
    '</a>',
    '<pre>',
    '</pre>',
    '<code>',
    '<x-y>',
    '<caption>',
    '<object>',
    '<math>',
    '<select>',
    '<option>',
  )
  fc.assert(
    fc.property(fc.array(fc.array(tag, { maxLength: 6 }), { maxLength: 15 }), (groups) => {
      const page = groups.map((tags, i) => `${tags.join('')} word${i}. `).join('')
      const all = allText(parse(TARGETS.HTML as Target, page, 1000) ?? [])
      for (const i of groups.keys()) expect(all.split(`word${i}.`).length - 1).toBe(1)
    }),
    { numRuns: 2000 },
  )
})

describe('takes bounded time and stack on', () => {
  const many = 50_000
  test.each([
    ['HTML', 'containers', '<div>'.repeat(100_000)],
    ['HTML', 'closed containers', '<div>a'.repeat(many) + '</div>'.repeat(many)],
    ['HTML', 'words', '<b>'.repeat(many)],
    ['HTML', 'lists', '<ul><li>a'.repeat(many)],
    ['HTML', 'items of deep lists', `${'<ul><li>'.repeat(150)}${'<li>a'.repeat(many)}`],
    ['HTML', 'quotations', `${'<blockquote>'.repeat(many)}a`],
    ['HTML', 'tables', '<table><tr><td>a'.repeat(many / 2)],
    ['HTML', 'formulas', '<math>'.repeat(many)],
    ['HTML', 'groups of a formula', `<math>${'<mrow>'.repeat(many)}<mi>a</mi>`],
    ['HTML', 'drawings', '<svg>'.repeat(many)],
    ['HTML', 'open tags', '<a href="'.repeat(many)],
    ['HTML', 'closing tags', '</b>'.repeat(many)],
    ['HTML', 'comments', '<!--'.repeat(many)],
    ['HTML', 'links', '<p>[[a]] '.repeat(many)],
    ['HTML', 'links in one text', '[[a]] '.repeat(many)],
    ['HTML', 'nested anchors', '<a href=x><b>a'.repeat(many)],
    ['HTML', 'words in a line', '<i>a</i> '.repeat(many)],
    ['HTML', 'breaks', '<br>'.repeat(many)],
    ['HTML', 'images', '<img src=a>'.repeat(many)],
    ['JSON', 'arrays', '['.repeat(many)],
    ['JSON', 'items', `[${'1,'.repeat(many)}1]`],
    ['JSON', 'escapes', `"${'\\n'.repeat(many * 5)}"`],
    ['JSON lines', 'records', '{"a":1}\n'.repeat(many)],
    ['YAML', 'documents', '---\na\n'.repeat(many / 10)],
    ['YAML', 'arrays', '['.repeat(many)],
    ['YAML', 'dashes', '- '.repeat(many)],
    ['TOON', 'braces', '[1]{a'.repeat(many)],
    ['TOON', 'columns', `[1]{${'a,'.repeat(many)}b}:\n  1`],
    ['TOON', 'blank lines', `a[2]:\n  - 1\n${'\n'.repeat(many)}  - 2`],
    ['TOON', 'dashes', `a[1]:\n  ${'- '.repeat(many)}`],
    ['TOON', 'quotes', '"\\"'.repeat(many)],
    ['TOON', 'items', `[${many}]: ${'1,'.repeat(many - 1)}1`],
  ])('%s of very many %s', (name, _case, text) => {
    const target = TARGETS[name] as Target
    const blocks = parse(target, text, 1000)
    if (blocks) expectValid(blocks, 1000)
  })
})
