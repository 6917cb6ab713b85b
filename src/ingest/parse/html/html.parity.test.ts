import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../../../test/support/parse-options.ts'
import { parseMarkdown } from '../markdown/markdown.ts'
import { parseHtml } from './html.ts'

const html = (text: string, options = {}) => parseHtml(text, parseOptions(options))
const markdown = (text: string, options = {}) => parseMarkdown(text, parseOptions(options))

describe('HTML gives the same tree as Markdown that says the same', () => {
  test.each([
    ['headings', '# A\n\n## B\n\nx\n\n# C', '<h1>A</h1><h2>B</h2><p>x</p><h1>C</h1>'],
    ['a skipped level', '# A\n\n### B\n\n## C', '<h1>A</h1><h3>B</h3><h2>C</h2>'],
    ['text before a heading', 'x\n\n# A', '<p>x</p><h1>A</h1>'],
    ['emphasis', '*a* **b** ***c***', '<p><em>a</em> <strong>b</strong> <b><i>c</i></b></p>'],
    ['a code span', 'use `a  b` now', '<p>use <code>a  b</code> now</p>'],
    ['a code span that looks like a link', '`[[X]]`', '<p><code>[[X]]</code></p>'],
    ['a link', '[a *b*](http://x "T")', '<p><a href="http://x" title="T">a <em>b</em></a></p>'],
    ['a link with odd brackets', '[a](<b)>)', '<p><a href="b)">a</a></p>'],
    ['an autolink', 'see <https://x.y>', '<p>see <a href="https://x.y">https://x.y</a></p>'],
    ['a mail address', '<a@b.cd>', '<p><a href="mailto:a@b.cd">a@b.cd</a></p>'],
    ['an image', '![alt](i.png "T")', '<p><img src="i.png" alt="alt" title="T"></p>'],
    ['an image in a link', '[![alt](i.png)](x)', '<p><a href="x"><img src="i.png" alt="alt"></a></p>'],
    ['a hard break', 'a  \nb', '<p>a<br>b</p>'],
    ['entities', 'a &amp; b &lt;c&gt; &copy; &#8364;', '<p>a &amp; b &lt;c&gt; &copy; &#8364;</p>'],
    ['literal marks', '\\*a\\* \\# b', '<p>*a* # b</p>'],
    ['a list', '- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['an ordered list', '1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
    ['a loose list', '- a\n\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
    [
      'a nested list',
      '- a\n  - b\n    1. c\n- d',
      '<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ul>',
    ],
    ['a list in a list without text', '- - a\n  - b', '<ul><li><ul><li>a</li><li>b</li></ul></li></ul>'],
    ['paragraphs in an item', '- a\n\n  b\n- c', '<ul><li><p>a</p><p>b</p></li><li>c</li></ul>'],
    [
      'code in an item',
      '- a\n\n  ```js\n  x\n\n  y\n  ```',
      '<ul><li>a<pre><code class="language-js">x\n\ny\n</code></pre></li></ul>',
    ],
    ['code with backticks in an item', '- ````\n  ```\n  ````', '<ul><li><pre>```</pre></li></ul>'],
    [
      'a quotation in an item',
      '- a\n\n  > b\n  >\n  > c',
      '<ul><li>a<blockquote><p>b</p><p>c</p></blockquote></li></ul>',
    ],
    ['a heading in an item', '- # a', '<ul><li><h1>a</h1></li></ul>'],
    [
      'a table in an item',
      '- a\n\n  | b | c |\n  |---|---|\n  | d | e |',
      '<ul><li>a<table><tr><th>b</th><th>c</th></tr><tr><td>d</td><td>e</td></tr></table></li></ul>',
    ],
    [
      'tasks',
      '- [x] a\n- [ ] b',
      '<ul><li><input type="checkbox" checked> a</li><li><input type=checkbox> b</li></ul>',
    ],
    ['definitions', 'T\n: a\n: b\n\nU\n: c', '<dl><dt>T</dt><dd>a</dd><dd>b</dd><dt>U</dt><dd>c</dd></dl>'],
    [
      'a quotation',
      '> a\n>\n> b\n>\n> > c',
      '<blockquote><p>a</p><p>b</p><blockquote>c</blockquote></blockquote>',
    ],
    [
      'a quoted heading and list',
      '> # a\n>\n> - b',
      '<blockquote><h1>a</h1><ul><li>b</li></ul></blockquote>',
    ],
    [
      'code',
      '```js\na()\n\n\n\n  b()\n```',
      '<pre><code class="language-js">a()\n\n\n\n  b()\n</code></pre>',
    ],
    ['code without a language', '```\nnpm\ninstall\n```', '<pre>npm\ninstall</pre>'],
    ['empty code', '```js\n```', '<pre><code class="language-js"></code></pre>'],
    [
      'a table',
      '| a | b |\n|---|---|\n| *1* | [x](y) |\n| 2 | |',
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><em>1</em></td><td><a href="y">x</a></td></tr><tr><td>2</td><td></td></tr></tbody></table>',
    ],
    ['a rule', 'a\n\n---\n\nb', 'a<hr>b'],
    ['loose text', 'a\n\nb\n\nc', '<div>a<p>b</p>c</div>'],
  ])('%s', (_case, source, page) => {
    expect(html(page)).toEqual(markdown(source))
  })

  test('a link that shows its file, but for the edge: only links of Markdown are edges', () => {
    const text = markdown('[a.md](a.md)').map(({ links: _, ...block }) => block)
    expect(html('<p><a href="a.md">a.md</a></p>')).toEqual(text)
  })
})

type Inline =
  | { kind: 'word'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'image'; alt: string; src: string }
  | { kind: 'break' }
  | { kind: 'emphasis' | 'strong'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] }
type Node =
  | { kind: 'heading'; level: number; line: Inline[] }
  | { kind: 'paragraph'; line: Inline[] }
  | { kind: 'code'; language: string; lines: string[] }
  | { kind: 'table'; rows: Inline[][][] }
  | { kind: 'list'; isOrdered: boolean; items: Node[][] }
  | { kind: 'quote'; children: Node[] }

const wordArb = fc.stringMatching(/^[a-z]{1,6}$/)
const { line: lineArb } = fc.letrec<{ line: Inline[]; inline: Inline }>((tie) => ({
  line: fc.array(tie('inline'), { minLength: 1, maxLength: 4 }),
  inline: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    wordArb.map((text): Inline => ({ kind: 'word', text })),
    wordArb.map((text): Inline => ({ kind: 'code', text })),
    fc.record({ kind: fc.constant('image' as const), alt: wordArb, src: wordArb }),
    fc.constant<Inline>({ kind: 'break' }),
    fc.record({ kind: fc.constantFrom('emphasis' as const, 'strong' as const), children: tie('line') }),
    fc.record({ kind: fc.constant('link' as const), href: wordArb, children: tie('line') }),
  ),
}))
/** Nested links are none, and a break at an end of a text is lost in both. */
const line = lineArb.map((inlines) => withoutNesting(inlines))

function withoutNesting(inlines: Inline[], inLink = false): Inline[] {
  const plain: Inline[] = inlines.map((inline) => {
    if (inline.kind === 'link' && inLink) return { kind: 'word', text: inline.href }
    if (inline.kind === 'link') return { ...inline, children: withoutNesting(inline.children, true) }
    if (inline.kind === 'emphasis' || inline.kind === 'strong') {
      return { kind: inline.kind, children: withoutNesting(inline.children.filter(isWord), inLink) }
    }
    return inline
  })
  const isBreak = (inline: Inline | undefined) => inline?.kind === 'break'
  const inner = plain.filter((inline, i) => !isBreak(inline) || !isBreak(plain[i - 1]))
  while (isBreak(inner[0])) inner.shift()
  while (isBreak(inner.at(-1))) inner.pop()
  return inner.length === 0 ? [{ kind: 'word', text: 'x' }] : inner
}

function isWord(inline: Inline): boolean {
  return inline.kind === 'word' || inline.kind === 'code'
}

function withoutBreaks(inlines: Inline[]): Inline[] {
  return inlines.map((inline): Inline => {
    if (inline.kind === 'break') return { kind: 'word', text: 'br' }
    return 'children' in inline ? { ...inline, children: withoutBreaks(inline.children) } : inline
  })
}

const { blocks: blocksArb } = fc.letrec<{ blocks: Node[]; block: Node }>((tie) => ({
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 4 }),
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ kind: fc.constant('paragraph' as const), line }),
    fc.record({
      kind: fc.constant('heading' as const),
      level: fc.integer({ min: 1, max: 6 }),
      line: line.map(withoutBreaks),
    }),
    fc.record({
      kind: fc.constant('code' as const),
      language: fc.constantFrom('', 'js', 'c'),
      lines: fc.array(fc.constantFrom('a()', '  b', '', '# c', '```', '[[x]]'), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
    fc.record({
      kind: fc.constant('table' as const),
      rows: fc.array(fc.array(line.map(withoutBreaks), { minLength: 2, maxLength: 2 }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
    fc.record({
      kind: fc.constant('list' as const),
      isOrdered: fc.boolean(),
      items: fc.array(tie('blocks'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('quote' as const), children: tie('blocks') }),
  ),
}))

function inlineMarkdown(inlines: Inline[]): string {
  return inlines.map(toMarkdown).join(' ').replaceAll(' \\\n ', '\\\n')
}

function toMarkdown(inline: Inline): string {
  switch (inline.kind) {
    case 'word':
      return inline.text
    case 'code':
      return `\`${inline.text}\``
    case 'image':
      return `![${inline.alt}](${inline.src})`
    case 'break':
      return '\\\n'
    case 'emphasis':
      return `*${inlineMarkdown(inline.children)}*`
    case 'strong':
      return `**${inlineMarkdown(inline.children)}**`
    case 'link':
      return `[${inlineMarkdown(inline.children)}](${inline.href} "t")`
  }
}

function inlineHtml(inlines: Inline[]): string {
  return inlines.map(toHtml).join(' ')
}

function toHtml(inline: Inline): string {
  switch (inline.kind) {
    case 'word':
      return inline.text
    case 'code':
      return `<code>${inline.text}</code>`
    case 'image':
      return `<img alt="${inline.alt}" src="${inline.src}">`
    case 'break':
      return '<br>\n'
    case 'emphasis':
      return `<em>${inlineHtml(inline.children)}</em>`
    case 'strong':
      return `<strong>${inlineHtml(inline.children)}</strong>`
    case 'link':
      return `<a href="${inline.href}" title="t">${inlineHtml(inline.children)}</a>`
  }
}

/** A comment between two blocks ends the first: two lists side by side would be one in Markdown. */
function markdownOf(nodes: Node[]): string {
  return nodes.map(blockMarkdown).join('\n\n***\n\n')
}

function blockMarkdown(node: Node): string {
  switch (node.kind) {
    case 'paragraph':
      return inlineMarkdown(node.line)
    case 'heading':
      return `${'#'.repeat(node.level)} ${inlineMarkdown(node.line)}`
    case 'code':
      return `\`\`\`\`${node.language}\n${node.lines.join('\n')}\n\`\`\`\``
    case 'table': {
      const [head, ...body] = node.rows.map((row) => `| ${row.map(inlineMarkdown).join(' | ')} |`)
      return [head, '|---|---|', ...body].join('\n')
    }
    case 'list':
      return node.items
        .map((item) => prefixed(markdownOf(item), node.isOrdered ? '1. ' : '- ', '   '))
        .join('\n\n')
    case 'quote':
      return prefixed(markdownOf(node.children), '> ', '> ')
  }
}

function prefixed(text: string, first: string, others: string): string {
  const pad = others === '> ' ? others : ' '.repeat(first.length)
  return text
    .split('\n')
    .map((part, i) => (i === 0 ? first : pad) + part)
    .join('\n')
}

function htmlOf(nodes: Node[]): string {
  return nodes.map(blockHtml).join('\n<hr>\n')
}

function blockHtml(node: Node): string {
  switch (node.kind) {
    case 'paragraph':
      return `<p>${inlineHtml(node.line)}</p>`
    case 'heading':
      return `<h${node.level}>${inlineHtml(node.line)}</h${node.level}>`
    case 'code':
      return `<pre><code class="language-${node.language}">${node.lines.join('\n')}\n</code></pre>`
    case 'table': {
      const rows = node.rows.map((row) => row.map((cell) => `<td>${inlineHtml(cell)}</td>`).join('\n'))
      return `<table>\n${rows.map((row) => `<tr>${row}</tr>`).join('\n')}</table>`
    }
    case 'list': {
      const name = node.isOrdered ? 'ol' : 'ul'
      return `<${name}>\n${node.items.map((item) => `<li>${htmlOf(item)}</li>`).join('\n')}</${name}>`
    }
    case 'quote':
      return `<blockquote>\n${htmlOf(node.children)}\n</blockquote>`
  }
}

test('any tree of blocks reads the same from HTML and from Markdown, split or not', () => {
  fc.assert(
    fc.property(blocksArb, fc.constantFrom(1000, 8), (nodes, maxNodeTokens) => {
      expect(html(htmlOf(nodes), { maxNodeTokens })).toEqual(markdown(markdownOf(nodes), { maxNodeTokens }))
    }),
    { numRuns: 1000 },
  )
})
