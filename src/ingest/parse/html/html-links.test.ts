import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../../../test/support/parse-options.ts'
import type { Block, Link } from '../../../core/model.ts'
import { parseMarkdown } from '../markdown/markdown.ts'
import { parseHtml } from './html.ts'

const link = (label: string, rest: Partial<Link> = {}): Link => ({
  label,
  weight: 1,
  source: '',
  id: '',
  ...rest,
})
const html = (text: string, maxNodeTokens = 1000) => parseHtml(text, parseOptions({ maxNodeTokens }))
const only = (text: string): Block => html(text)[0] as Block

/** The second column is Markdown that says the same. */
const CASES: [name: string, markdown: string, page: string, text: string, links: Link[]][] = [
  ['in a paragraph', 'see [[A]].', '<p>see [[A]].</p>', 'see [[A]].', [link('A')]],
  [
    'with parameters',
    '[[A b; w=2.5; source=docs/a.md; id=abc]]',
    '<p>[[A b; w=2.5; source=docs/a.md; id=abc]]</p>',
    '[[A b]]',
    [link('A b', { weight: 2.5, source: 'docs/a.md', id: 'abc' })],
  ],
  ['in a heading', '# [[A]]', '<h1>[[A]]</h1>', '[[A]]', [link('A')]],
  [
    'in lists, in the order of the text',
    '- [[A]]\n  - [[B]]\n- [[C]]',
    '<ul><li>[[A]]<ul><li>[[B]]</li></ul></li><li>[[C]]</li></ul>',
    '- [[A]]\n  - [[B]]\n- [[C]]',
    [link('A'), link('B'), link('C')],
  ],
  [
    'in a table',
    '| a | b |\n|---|---|\n| [[A]] | [[B]] |',
    '<table><tr><th>a<th>b</tr><tr><td>[[A]]<td>[[B]]</tr></table>',
    'a\tb\n[[A]]\t[[B]]',
    [link('A'), link('B')],
  ],
  ['in a quotation', '> [[A]]', '<blockquote>[[A]]</blockquote>', '[[A]]', [link('A')]],
  ['in emphasis', '**[[A]]**', '<p><b>[[A]]</b></p>', '[[A]]', [link('A')]],
  ['in the text of a link', '[a [[A]]](x)', '<p><a href="x">a [[A]]</a></p>', '[a [[A]]](x)', [link('A')]],
  [
    'over two lines, as one',
    '[[Long\n  label]]',
    '<p>[[Long\n  label]]</p>',
    '[[Long label]]',
    [link('Long label')],
  ],
  ['not in code', '`[[A]]`', '<p><code>[[A]]</code></p>', '`[[A]]`', []],
  ['not in a code block', '```\n[[A]]\n```', '<pre>[[A]]</pre>', '[[A]]', []],
]

describe('links', () => {
  test.each(CASES)('are found %s, as in Markdown', (_case, markdown, page, text, links) => {
    for (const block of [only(page), parseMarkdown(markdown, parseOptions())[0]]) {
      expect(block?.text).toBe(text)
      expect(block?.links ?? []).toEqual(links)
    }
  })

  test('are found in loose text', () => {
    expect(only('<div>see [[A]]</div>')).toMatchObject({ text: 'see [[A]]', links: [link('A')] })
  })

  test('are absent, not empty, if there are none', () => {
    expect(only('<p>a</p>')).not.toHaveProperty('links')
  })

  test('may be written as elements', () => {
    const page =
      '<p>see <knowledge weight="2" source="a.md" id="abc"> The <b>Label</b>\n</knowledge>, now</p>'
    expect(only(page)).toMatchObject({
      text: 'see [[The Label]], now',
      links: [link('The Label', { weight: 2, source: 'a.md', id: 'abc' })],
    })
  })

  test('with a weight that is not a number have the default weight', () => {
    expect(only('<knowledge weight="much">A</knowledge>').links).toEqual([link('A')])
  })

  test('without a label are none', () => {
    expect(html('<p>a <knowledge id="x"> </knowledge></p>')).toMatchObject([{ text: 'a' }])
    expect(only('<p>a <knowledge></knowledge></p>')).not.toHaveProperty('links')
  })

  test('go with the piece that shows them when a text is split', () => {
    const blocks = html('<p>one [[Aaaa; w=2]] two three four [[Bbbb]] five six [[Aaaa; w=3]]</p>', 6)
    expect(blocks.map(({ text, links }) => [text, links])).toEqual([
      ['one [[Aaaa]] two three', [link('Aaaa', { weight: 2 })]],
      ['four [[Bbbb]] five six', [link('Bbbb')]],
      ['[[Aaaa]]', [link('Aaaa', { weight: 3 })]],
    ])
  })
})
