import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../../../test/support/parse-options.ts'
import { secretOf } from '../../../../test/support/secrets.ts'
import { labelOf } from '../../../core/label.ts'
import type { Block } from '../../../core/model.ts'
import { redactionMarker } from '../../../core/redact.ts'
import { createRedactor } from '../../redact/redactor.ts'
import { parseHtml } from './html.ts'

const parse = (text: string, options = {}) => parseHtml(text, parseOptions(options))
const texts = (text: string) => parse(text).map((block) => `${block.type}: ${block.text}`)
const embeds = (text: string) => parse(text).map((block) => `${block.type} ${block.format}: ${block.text}`)
const outline = (blocks: readonly Block[], depth = 0): string[] =>
  blocks.flatMap((block) => ['  '.repeat(depth) + block.text, ...outline(block.children, depth + 1)])

describe('a page', () => {
  test('is the content of its body', () => {
    const page = `<!doctype html><html><head><title>T</title><meta charset="utf-8"><style>p {}</style></head>
      <body><!-- note --><h1>A</h1><script>run()</script><template>t</template><p>b</p></body></html>`
    expect(outline(parse(page))).toEqual(['A', '  b'])
  })

  test('needs no closing tag of its head', () => {
    expect(texts('<head><title>T</title><p>a')).toEqual(['text: a'])
  })

  test('has sections at headings of any depth', () => {
    const page =
      '<main><header><h1>A</h1></header><section><h2>B</h2><p>b</p></section><p>c</p></main><h1>D</h1>'
    expect(outline(parse(page))).toEqual(['A', '  B', '    b', '    c', 'D'])
  })

  test('has headings without their links to themselves', () => {
    const page =
      '<h1 id="a"><a href="#a">A <b>b</b></a></h1><h1 id="c">C <a href="#c">¶</a></h1><h1><a href="#d">D</a></h1>'
    expect(outline(parse(page))).toEqual(['A b', 'C', '[D](#d)'])
  })

  test('loses empty headings', () => {
    expect(outline(parse('<h1>A</h1><h2> </h2><p>b</p>'))).toEqual(['A', '  b'])
  })

  test('drops a checkbox without a task', () => {
    expect(texts('<div><input type="checkbox"> </div><label><input type="checkbox"> a</label>')).toEqual([
      'text: [ ] a',
    ])
  })

  test('keeps text for readers without scripts', () => {
    expect(texts('<noscript>a <b>b</b></noscript>')).toEqual(['text: a b'])
  })

  test('may have a BOM, any line ends, NUL and half surrogate pairs', () => {
    expect(texts('\ufeff<p>a\r\nb\0c\ud800</p>')).toEqual(['text: a b\ufffdc\ufffd'])
  })
})

describe('loose text', () => {
  test.each([
    ['in a container', '<div>a</div>', ['a']],
    ['in the page', 'a', ['a']],
    ['around blocks', '<div>a<p>b</p>c</div>', ['a', 'b', 'c']],
    ['in nested containers', '<div>a<section>b</section>c<div>d</div></div>', ['a', 'b', 'c', 'd']],
    ['of several elements, as one text', '<div>a <span>b</span> <b>c</b><i>d</i></div>', ['a b cd']],
    ['in an element that also holds a block', '<b>a <p>b</p> c</b> d', ['a', 'b', 'c d']],
    ['in a link around a block', '<a href="x">a<div>b</div></a>', ['a', 'b']],
    ['in an item without a list', '<li>a</li><li>b', ['a', 'b']],
    ['in unknown elements', '<my-card>a</my-card><x-y><div>b</div></x-y>', ['a', 'b']],
    [
      'in details, fields and figures',
      '<details><summary>a</summary>b</details><figure>c<figcaption>d</figcaption></figure>',
      ['a', 'b', 'c', 'd'],
    ],
    ['beside the items of a list', '<ul>a<li>b</li></ul>', ['- a\n- b']],
    ['beside the rows of a table', '<table>a<tr><td>b</table>', ['a\nb']],
  ])('is kept %s', (_case, page, expected) => {
    expect(parse(page).map(({ text }) => text)).toEqual(expected)
  })
})

describe('inline text', () => {
  test.each([
    ['has white space as one space', '<p> a \n\t b&nbsp;&nbsp;c </p>', 'a b c'],
    ['has line breaks without spaces around them', '<p>a <br/> b<br>c</p>', 'a\nb\nc'],
    ['keeps the spaces of code', '<p>a <code>b  c</code></p>', 'a b  c'],
    ['moves spaces out of links', '<p>a<a href="x"> b </a>c</p>', 'a [b](x) c'],
    [
      'leaves out signs that link to themselves',
      '<p>a<a href="#a">¶</a> <a href="#b">1</a></p>',
      'a [1](#b)',
    ],
    [
      'keeps only the type of a picture in a data URL',
      `<p>a <img alt="b" src="data:image/png;base64,${'A'.repeat(200)}"></p>`,
      'a ![b](data:image/png)',
    ],
    ['leaves out empty links', '<p>a <a href="#a"></a></p>', 'a'],
    ['keeps the text of an anchor', '<p><a name="x">a</a></p>', 'a'],
    ['needs brackets for a destination with spaces', '<p><a href="a b">c</a></p>', '[c](<a b>)'],
    ['shows images, by their title if need be', '<p>a <img src="i.png" title="T"></p>', 'a ![T](i.png)'],
    ['leaves out images without a source', '<p>a <img alt="b"> c</p>', 'a c'],
    [
      'sets controls apart',
      '<button>a</button><button>b</button><select><option>c<option>d</select>',
      'a b c d',
    ],
    ['decodes entities', '<p>&lt;a&gt; &#x41;&eacute; &nosuch; &amp</p>', '<a> Aé &nosuch; &'],
  ])('%s', (_case, page, expected) => {
    expect(parse(page)[0]?.text).toBe(expected)
  })
})

describe('lists', () => {
  test('that are not closed are mended', () => {
    expect(texts('<ul><li><p>a<li><p>b<ul><li>c</ul><li>d</ul>e')).toEqual([
      'list: - a\n- b\n  - c\n- d',
      'text: e',
    ])
    expect(texts('<dl><dt>a<dd>b<dt>c<dd>d</dl>')).toEqual(['list: - a\n  - b\n- c\n  - d'])
  })

  test('directly inside a list belong to the item before', () => {
    expect(texts('<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>')).toEqual(['list: - a\n  - b\n- c'])
  })

  test('may group their terms', () => {
    expect(texts('<dl><div><dt>a</dt><dd>b</dd></div><div><dt>c</dt></div></dl>')).toEqual([
      'list: - a\n  - b\n- c',
    ])
  })

  test('without anything to show are dropped', () => {
    expect(texts('<ul> <li> </li></ul><ol></ol>')).toEqual([])
  })
})

describe('tables', () => {
  test('have their caption before them', () => {
    const page =
      '<table><caption>The <b>cap</b></caption><thead><tr><th>a<th>b<tbody><tr><td>1<td>2<tfoot><tr><td>3<td>4</table>'
    expect(texts(page)).toEqual(['text: The cap', 'table: a\tb\n1\t2\n3\t4'])
    expect(parse(page).map(labelOf)).toEqual(['The cap', 'Table: a, b (2 rows)'])
  })

  test('inside a cell are rendered once, as part of that cell', () => {
    expect(texts('<table><tr><td>a<table><tr><td>b<td>c</table>d<td>e</table>')).toEqual([
      'table: a b c d\te',
    ])
  })

  test('have one line per row for any content of its cells', () => {
    const page = '<table><tr><td>a<br>b<p>c</p><ul><li>d<li>e</ul><td><pre>f\n\tg</pre></table>'
    expect(texts(page)).toEqual(['table: a b c d e\tf  g'])
  })

  test('take no links from code in their cells', () => {
    const [table] = parse('<table><tr><td><pre>[[A]]\n[[B]]</pre><td>c</table>')
    expect(table?.text).toBe('`[[A]] [[B]]`\tc')
    expect(table).not.toHaveProperty('links')
  })

  test('without anything to show are dropped', () => {
    expect(texts('<table><tr><td> </table>')).toEqual([])
  })

  test('take cells without a row', () => {
    expect(texts('<table><td>a<td>b</table>')).toEqual(['table: a\tb'])
  })
})

describe('code', () => {
  test.each([
    ['<pre><code class="hljs language-js">a</code></pre>', 'js\na'],
    ['<pre class="lang-ts">a</pre>', 'ts\na'],
    ['<pre>\n\n  a <b>b</b>\n  c<br>d\n</pre>', '  a b\n  c\nd'],
    ['<pre>a &lt; [[B]]</pre>', 'a < [[B]]'],
  ])('of %j is %j', (page, expected) => {
    expect(parse(page)).toMatchObject([{ type: 'code', format: 'plain', text: expected }])
  })
})

describe('media', () => {
  test.each([
    ['an image', '<img src="a.png" alt="A cat">', 'embed image: ![A cat](a.png)'],
    ['a picture', '<picture><source srcset="b"><img src="a.png"></picture>', 'embed image: ![](a.png)'],
    ['a video', '<video src="a.mp4" title="T">no video</video>', 'embed video: [T](a.mp4)'],
    [
      'a video with sources',
      '<video><source src="a.mp4"><source src="b.mp4"></video>',
      'embed video: [](a.mp4)',
    ],
    ['a recording', '<audio controls src="a.mp3"></audio>', 'embed audio: [](a.mp3)'],
    ['a page', '<iframe src="http://x" title="T"><p>no</p></iframe>', 'embed iframe: [T](http://x)'],
    ['an embedded object', '<embed src="a.swf">', 'embed embed: [](a.swf)'],
    ['an object', '<object data="a.pdf" title="T"><p>no</p></object>', 'embed embed: [T](a.pdf)'],
  ])('%s is a block if it is alone', (_case, page, expected) => {
    expect(embeds(page)).toEqual([expected])
  })

  test('are labelled by their content', () => {
    expect(parse('<img src="a.png" alt="A cat">').map(labelOf)).toEqual(['Image: A cat'])
    expect(parse('<video src="clip.mp4"></video>').map(labelOf)).toEqual(['Video: clip.mp4'])
  })

  test('without a source are dropped, except for the fallback of an object', () => {
    expect(embeds('<img alt="a"><video>b</video><iframe></iframe><object>c</object>')).toEqual([
      'text plain: c',
    ])
  })

  test('stay in a line of text', () => {
    expect(embeds('<div>a <img src="b.png"> c</div>')).toEqual(['text plain: a ![](b.png) c'])
    expect(embeds('<ul><li>a <img src="b.png"></li></ul>')).toEqual(['list plain: - a ![](b.png)'])
    expect(embeds('<h1>a <video src="b.mp4" title="T"></video></h1>')).toEqual([
      'heading plain: a [T](b.mp4)',
    ])
  })

  test('that are blocks part a paragraph', () => {
    expect(embeds('<p>a <video src="b.mp4"></video> c</p>')).toEqual([
      'text plain: a',
      'embed video: [](b.mp4)',
      'text plain: c',
    ])
  })
})

describe('drawings', () => {
  test('are code: their attributes, then their markup as written', () => {
    const [block] = parse('<svg viewBox="0 0 1 1" id="a">\n  <linearGradient/><path d="M0"/>\n</svg>')
    expect(block).toMatchObject({
      type: 'code',
      format: 'svg',
      text: 'viewBox="0 0 1 1" id="a"\n<linearGradient/><path d="M0"/>',
    })
    expect(block && labelOf(block)).toBe('Code: viewBox="0 0 1 1" id="a"')
    expect(embeds('<canvas id="c"></canvas>')).toEqual(['code canvas: id="c"'])
    expect(embeds('<svg><path/></svg>')).toEqual(['code svg: <path/>'])
  })

  test('without attributes and markup are dropped', () => {
    expect(embeds('<svg></svg><canvas> </canvas>')).toEqual([])
  })

  test('that only decorate are dropped', () => {
    expect(embeds('<button>a <svg><path/></svg> b</button>')).toEqual(['text plain: a b'])
    expect(embeds('<p>a <svg aria-hidden="true"><path/></svg> b</p>')).toEqual(['text plain: a b'])
  })

  test('that are not closed end where the next block begins', () => {
    expect(embeds('<svg><path/><p>a</p>')).toEqual(['code svg: <path/>', 'text plain: a'])
  })
})

describe('malformed markup', () => {
  test.each([
    ['<p>a<p>b<div>c', ['a', 'b', 'c']],
    ['a</p>b', ['a', 'b']],
    ['<b>a<i>b</b>c</i>', ['abc']],
    ['</div></table></x>a', ['a']],
    ['<p>a < b && c > d', ['a < b && c > d']],
    ['<p title="x>a', []],
    ['<p>a<!-- b', ['a']],
    ['<table><tr><td>a</div></td></tr></table>b', ['a', 'b']],
    ['<h1>a<h2>b', ['a']],
    ['<p>a<br/>b</br>c', ['a\nb\nc']],
    ['<DIV><P>a</P></DIV>', ['a']],
  ])('of %j gives %j', (page, expected) => {
    expect(parse(page).map(({ text }) => text)).toEqual(expected)
  })
})

test('a secret that a split would cut is removed before', () => {
  const redact = (text: string) => text.replaceAll(/secret \w+ \w+/g, '«redacted»')
  const blocks = parse('<p>one two three secret aaaaaa bbbbbb four</p>', { maxNodeTokens: 6, redact })
  expect(blocks.map(({ text }) => text).join(' ')).toBe('one two three «redacted» four')
})

describe('a secret', async () => {
  const { redact, findKeys } = await createRedactor({})
  const TOKEN = secretOf('github_pat')
  const PAT = redactionMarker('github_pat')
  const ENV = redactionMarker('env_secret_assignment')
  const textsOf = (html: string) =>
    parse(html, { redact, findKeys }).map(({ format, text }) => [format, text])

  test.each([
    ['<code>DB_PASSWORD=<span class="s2">&quot;a b c&quot;</span></code>', 'plain', `DB_PASSWORD="${ENV}"`],
    ['<pre>DB_PASSWORD=&quot;a b&#34; c</pre>', 'plain', `DB_PASSWORD="${ENV}" c`],
    ['<p>DB_PASSWORD="a <b>b</b> c" d</p>', 'plain', `DB_PASSWORD="${ENV}" d`],
    [`<p>ghp_<b>${TOKEN.slice(4, 20)}</b>${TOKEN.slice(20)}</p>`, 'plain', PAT],
    [`<p>x <math><mi>${TOKEN}</mi></math></p>`, 'plain', `x $${PAT}$`],
    [`<p>x <math><mtext>a ${TOKEN}</mtext></math></p>`, 'plain', `x $\\text{a ${PAT}}$`],
    [`<math><mi>${TOKEN.replace('_', '&#95;')}</mi><mo>+</mo><mn>1_0</mn></math>`, 'latex', `${PAT} + 1\\_0`],
    [`<math><foo>&#103;${TOKEN.slice(1)}&amp;</foo></math>`, 'mathml', `<math><foo>${PAT}&#38;</foo></math>`],
    [`<math><mi>${TOKEN.slice(0, 9)}</mi><mi>${TOKEN.slice(9)}</mi></math>`, 'plain', PAT],
    [`<svg><text id=&#103;${TOKEN.slice(1)} a="b">x</text></svg>`, 'svg', `<text id=${PAT} a="b">x</text>`],
    [`<svg a='&#103;${TOKEN.slice(1)}'><b c='d${TOKEN}'/></svg>`, 'svg', `a="${PAT}"\n<b c='d${TOKEN}'/>`],
    ['<svg><text x="1">A_KEY=&quot;a <b>b</b>"</text></svg>', 'svg', `A_KEY="${ENV}"`],
    [`<svg><!-- ${TOKEN} --><text>y</text></svg>`, 'svg', `<!-- ${PAT} --><text>y</text>`],
  ])('in %s', (html, format, text) => {
    expect(textsOf(html)).toEqual([[format, text]])
  })
})
