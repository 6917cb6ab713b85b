import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../../../test/support/parse-options.ts'
import { labelOf } from '../../../core/label.ts'
import type { Block } from '../../../core/model.ts'
import { redactionMarker } from '../../../core/redact.ts'
import { createRedactor } from '../../redact/redactor.ts'
import { parseMarkdown } from './markdown.ts'

const parse = (text: string, maxNodeTokens = 1000) => parseMarkdown(text, parseOptions({ maxNodeTokens }))
const texts = (text: string) => parse(text).map((block) => `${block.type}: ${block.text}`)
const textOf = (text: string) => parse(text)[0]?.text
const outline = (blocks: readonly Block[], depth = 0): string[] =>
  blocks.flatMap((block) => ['  '.repeat(depth) + block.text, ...outline(block.children, depth + 1)])

describe('headings', () => {
  test('contain the blocks after them, and lower headings', () => {
    const tree = parse('before\n\n# A\n\nin a\n\n## B\n\nin b\n\n## C\n\n# D\n')
    expect(outline(tree)).toEqual(['before', 'A', '  in a', '  B', '    in b', '  C', 'D'])
  })

  test('nest one deeper when a level is skipped', () => {
    expect(outline(parse('# A\n### B\n## C\n#### D\n# E\n'))).toEqual(['A', '  B', '  C', '    D', 'E'])
  })

  test('are kept when empty', () => {
    expect(texts('#\n')).toEqual(['heading: '])
  })

  test('lose their id and need a space', () => {
    expect(texts('## Title {#the-id}\n')).toEqual(['heading: Title'])
    expect(texts('## Title {#id} ##\n')).toEqual(['heading: Title'])
    expect(texts('## Use {#a b}\n')).toEqual(['heading: Use {#a b}'])
    expect(texts('#tag\n')).toEqual(['text: #tag'])
  })

  test('are one line when underlined', () => {
    expect(texts('Two\nlines\n===\n')).toEqual(['heading: Two lines'])
  })

  test('inside a quotation or a list are text', () => {
    expect(texts('> # Quoted\n>\n> text\n')).toEqual(['text: Quoted\n\ntext'])
    expect(texts('- # Item\n')).toEqual(['list: - Item'])
  })
})

describe('inline text', () => {
  test.each([
    ['drops the marks of emphasis', '*a* **b** ***c*** _d_', 'a b c d'],
    ['leaves emphasis inside a word alone', 'snake_case_name', 'snake_case_name'],
    ['leaves strikethrough literal', '~~gone~~', '~~gone~~'],
    ['keeps the text of a code span', '`a *b*` and ``c`d``', 'a *b* and c`d'],
    ['keeps links with their title', '[a *b*](http://x "T")', '[a b](http://x "T")'],
    ['keeps images', '![alt *x*](i.png "T")', '![alt x](i.png "T")'],
    ['keeps a destination as written', '[a](/ü%20x?q=é)', '[a](/ü%20x?q=é)'],
    ['keeps a destination with spaces or odd brackets', '[a](<b c>) [d](<e)>)', '[a](<b c>) [d](<e)>)'],
    ['resolves references', '[a][r] and [R]\n\n[r]: http://x "T"', '[a](http://x "T") and [R](http://x "T")'],
    ['leaves undefined references literal', '[a][nope] [b]', '[a][nope] [b]'],
    ['writes an autolink once', 'see <https://x.y>', 'see https://x.y'],
    ['keeps soft breaks', 'a\n  b', 'a\nb'],
    ['makes a newline of a hard break', 'a *b*  \nc\\\nd', 'a b\nc\nd'],
    ['decodes entities and escapes', '&copy; \\*a\\* &lt;', '© *a* <'],
    ['keeps raw HTML', 'a <b>c</b>', 'a <b>c</b>'],
    ['keeps a task mark', '[ ] a', '[ ] a'],
  ])('%s', (_case, markdown, expected) => {
    expect(textOf(markdown)).toBe(expected)
  })
})

describe('wikilinks', () => {
  const link = '[[Label; w=2.5; source=docs/a.md; id=abc_d_e]]'

  test.each([
    ['a paragraph', `see ${link}.`, 'see [[Label]].'],
    ['a heading', `# ${link}`, '[[Label]]'],
    ['a list', `- ${link}`, '- [[Label]]'],
    ['a nested list', `- a\n  - ${link}`, '- a\n  - [[Label]]'],
    ['a table', `| a |\n|---|\n| ${link} |`, 'a\n[[Label]]'],
    ['emphasis', `**${link}**`, '[[Label]]'],
    ['a quotation', `> ${link}`, '[[Label]]'],
    ['the text of a link', `[a ${link}](http://x)`, '[a [[Label]]](http://x)'],
  ])('in %s are links of that node, and the text keeps their label', (_case, markdown, text) => {
    const links = [{ label: 'Label', weight: 2.5, source: 'docs/a.md', id: 'abc_d_e' }]
    expect(parse(markdown)).toMatchObject([{ text, links }])
  })

  test.each([
    ['with markup in their label', '[[a *b* `c` _d_]]', '[[a *b* `c` _d_]]'],
    ['whose label is also a reference', '[[X]] [X]\n\n[X]: http://x', '[[X]] [X](http://x)'],
    ['before a destination', '[[X]](http://x)', '[[X]](http://x)'],
    ['in a third pair of brackets', '[[[X]]]', '[[[X]]]'],
    ['in the text of a link', '[a [[X]] b](http://x)', '[a [[X]] b](http://x)'],
    ['after an exclamation mark', '![[X]]', '![[X]]'],
    ['over two lines, as one', '[[Long\n  label]]', '[[Long label]]'],
  ])('are read %s', (_case, markdown, expected) => {
    expect(textOf(markdown)).toBe(expected)
    expect(parse(markdown)[0]?.links).toHaveLength(1)
  })

  test('belong to the node whose text they are in', () => {
    const found = (blocks: readonly Block[]): unknown[] =>
      blocks.flatMap(({ links = [], children }) => [links.map(({ label }) => label), ...found(children)])
    expect(found(parse('# A [[1]]\n\n[[2]] [[3]]\n\n- x\n\nno link\n\n[[4]]\n'))).toEqual([
      ['1'],
      ['2', '3'],
      [],
      [],
      ['4'],
    ])
  })

  test('that name nothing are text', () => {
    expect(parse('[[ ]] [[; w=2]] [[]]')).toEqual([
      { type: 'text', format: 'plain', text: '[[ ]] [[; w=2]] [[]]', children: [] },
    ])
  })

  test('in a code span keep their backticks, so that they are not taken for links', () => {
    expect(textOf('use `[[X]]` or `` `[[Y]]` ``')).toBe('use `[[X]]` or `` `[[Y]]` ``')
    expect(parse('use `[[X]]` or `` `[[Y]]` ``')[0]?.links).toBeUndefined()
  })

  test('in a code block are code', () => {
    expect(texts('```\n[[X]]\n```\n\n    [[Y]]\n')).toEqual(['code: [[X]]', 'code: [[Y]]'])
  })
})

describe('code', () => {
  test('has its info string on the first line', () => {
    expect(texts('```js\na()\n\nb()\n```\n')).toEqual(['code: js\na()\n\nb()'])
    expect(texts('~~~ ts  title="x" \na()\n~~~\n')).toEqual(['code: ts  title="x"\na()'])
  })

  test('without an info string is labelled by its first line', () => {
    const [block] = parse('```\nnpm\ninstall\n```\n')
    expect(block).toMatchObject({ text: 'npm\ninstall', label: 'Code: npm' })
  })

  test('may be indented, and keeps its indentation', () => {
    expect(texts('    a\n      b\n')).toEqual(['code: a\n  b'])
  })

  test('is dropped when empty', () => {
    expect(texts('```js\n```\n\n```\n\n```\n')).toEqual([])
  })
})

describe('lists', () => {
  test('are one node with a line for each item', () => {
    expect(texts('- a\n- b\n\n1. c\n2. d\n')).toEqual(['list: - a\n- b', 'list: - c\n- d'])
  })

  test('indent nested items instead of gluing them', () => {
    expect(textOf('- top\n  - nested\n    1. deeper\n- next\n')).toBe(
      '- top\n  - nested\n    - deeper\n- next',
    )
    expect(textOf('- - a\n  - b\n')).toBe('- - a\n  - b')
  })

  test('put further paragraphs, code and wrapped lines below their item', () => {
    const markdown = '- a\n  wrapped\n\n  second\n\n  ```js\n  x\n\n  y\n  ```\n\n  > quoted\n- b\n'
    expect(textOf(markdown)).toBe('- a\n  wrapped\n  second\n  ```js\n  x\n\n  y\n  ```\n  quoted\n- b')
  })

  test('keep task marks and drop empty items', () => {
    expect(textOf('- [ ] todo\n- [x] done\n-\n')).toBe('- [ ] todo\n- [x] done')
  })

  test('put definitions below their term', () => {
    const [list] = parse('Term\n: One\n: Two\n\nOther\n: Three\n')
    expect(list).toMatchObject({ type: 'list', text: '- Term\n  - One\n  - Two\n- Other\n  - Three' })
    expect(list && labelOf(list)).toBe('2-item list: Term')
  })
})

describe('other blocks', () => {
  test('tables are rows of tab-separated cells, header first', () => {
    const [table] = parse('| a | b |\n|:--|--:|\n| *1* | [x](y) |\n| c \\| d | |\n')
    expect(table).toMatchObject({ type: 'table', text: 'a\tb\n1\t[x](y)\nc | d' })
    expect(table && labelOf(table)).toBe('Table: a, b (2 rows)')
  })

  test('quotations keep their paragraphs apart', () => {
    expect(texts('> one\n> more\n>\n> two\n>\n> > inner\n')).toEqual(['text: one\nmore\n\ntwo\n\ninner'])
    expect(textOf('> a\n>\n> - b\n> - c\n>\n> ```\n> d\n> ```\n')).toBe('a\n\n- b\n- c\n\n```\nd\n```')
  })

  test('raw HTML is text, trimmed and otherwise unchanged', () => {
    expect(texts('<div class="x">\n  *a* [[X]]\n</div>\n')).toEqual([
      'text: <div class="x">\n  *a* [[X]]\n</div>',
    ])
  })

  test('rules and blank documents give nothing', () => {
    expect(texts('a\n\n---\n\n* * *\n\nb\n')).toEqual(['text: a', 'text: b'])
    expect(texts(' \n\n\t\n')).toEqual([])
  })
})

describe('source text', () => {
  test('may have a BOM and any line ends', () => {
    const expected = texts('# A\n\n- b\n- c\n\n```js\nd\n```\n')
    expect(texts('\ufeff# A\r\n\r\n- b\r\n- c\r\n\r\n```js\r\nd\r\n```\r\n')).toEqual(expected)
    expect(texts('# A\r\r- b\r- c\r\r```js\rd\r```\r')).toEqual(expected)
  })

  test('has NUL and half surrogate pairs replaced', () => {
    expect(textOf('a\0b\ud800c')).toBe('a\ufffdb\ufffdc')
  })

  test('is split into nodes of at most the given size', () => {
    const [heading] = parse(`# H\n\n${'word '.repeat(30)}\n`, 10)
    expect(heading?.children.length).toBe(4)
    expect(heading?.children.map(({ text }) => text).join(' ')).toBe('word '.repeat(30).trim())
  })
})

describe('a secret', async () => {
  const { redact, findKeys } = await createRedactor({})
  const ENV = redactionMarker('env_secret_assignment')
  const textsOf = (text: string) =>
    parseMarkdown(text, parseOptions({ redact, findKeys })).map((block) => block.text)

  test.each([
    ['DB_PASSWORD=&quot;a b c&quot; d', `DB_PASSWORD="${ENV}" d`],
    ['`DB_PASSWORD=&#34;a b c&#34;` d', `DB_PASSWORD=&#34;${ENV}&#34; d`],
    ['DB_PASSWORD="a **b** c" d', `DB_PASSWORD="${ENV}" d`],
    ['DB_PASSWORD=<b>"a b"</b> d', `DB_PASSWORD="${ENV}" d`],
    ['a <b>b</b> DB_PASSWORD="a b" &amp; d', `a <b>b</b> DB_PASSWORD="${ENV}" & d`],
    ['<pre>\nDB_PASSWORD=&quot;a b&quot;\n</pre>', `<pre>&#10;DB_PASSWORD=&#34;${ENV}&#34;&#10;</pre>`],
    ['<div>\nDB_PASSWORD=<b>&quot;a b&quot;</b>\n</div>', `DB_PASSWORD="${ENV}"`],
    ['Set `API_KEY="` and then\n\n"Next"', 'Set API_KEY=" and then'],
  ])('in %j', (text, expected) => {
    expect(textsOf(text)[0]?.replaceAll('\n', '&#10;')).toBe(expected)
  })
})
