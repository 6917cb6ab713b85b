import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../../../test/support/parse-options.ts'
import type { HtmlElement } from '../html-elements.ts'
import { parseHtml } from './html.ts'
import { htmlTree } from './html-tree.ts'
import { toLatex } from './mathml.ts'

const latex = (mathml: string) => toLatex(htmlTree(`<math>${mathml}</math>`).children[0] as HtmlElement)
const blocks = (page: string) => parseHtml(page, parseOptions())

const A = '<mi>a</mi>'
const B = '<mi>b</mi>'
const C = '<mi>c</mi>'
const SUM = '<mo>∑</mo>'

describe('MathML as LaTeX', () => {
  test.each([
    ['names', '<mi>x</mi><mi>sin</mi>', 'x sin'],
    [
      'names with limits',
      '<mi>lim</mi><mi>inf</mi><mi>sup</mi><mi>min</mi><mi>max</mi>',
      '\\lim \\inf \\sup \\min \\max',
    ],
    ['numbers and operators', '<mn>1.5</mn><mo>+</mo><mo>≤</mo>', '1.5 + ≤'],
    [
      'large operators',
      '<mo>∑</mo><mo>∏</mo><mi>∫</mi><mo>∬</mo><mo>∭</mo><mo>∮</mo>',
      '\\sum \\prod \\int \\iint \\iiint \\oint',
    ],
    [
      'characters that are special in LaTeX',
      '<mo>{</mo><mi>x_1</mi><mo>%</mo><mo>}</mo>',
      '\\{ x\\_1 \\% \\}',
    ],
    ['nothing for invisible operators', '<mi>f</mi><mo>&#x2061;</mo><mi>x</mi>', 'f x'],
    ['text', '<mtext> if  so </mtext><ms>s</ms>', '\\text{if so} \\text{"s"}'],
    ['space', `${A}<mspace width="1em"/>${B}`, 'a \\, b'],
    ['groups', `<mrow>${A}<mpadded>${B}</mpadded></mrow><mstyle><maction>${C}</maction></mstyle>`, 'a b c'],
    [
      'fractions and roots',
      `<mfrac>${A}${B}</mfrac><msqrt>${A}${B}</msqrt><mroot>${A}<mn>3</mn></mroot>`,
      '\\frac{a}{b} \\sqrt{a b} \\sqrt[3]{a}',
    ],
    [
      'scripts',
      `<msup>${A}${B}</msup><msub>${A}${B}</msub><msubsup>${A}${B}${C}</msubsup>`,
      'a^{b} a_{b} a_{b}^{c}',
    ],
    [
      'scripts of more than one character',
      '<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup><msup><mi>xy</mi><mn>2</mn></msup>',
      '{a b}^{2} {xy}^{2}',
    ],
    ['scripts of one character outside the basic plane', '<msup><mi>𝑥</mi><mn>2</mn></msup>', '𝑥^{2}'],
    ['scripts of one command', '<msub><mo>∫</mo><mi>a</mi></msub>', '\\int_{a}'],
    [
      'limits',
      `<munder>${SUM}${A}</munder><mover>${SUM}${B}</mover><munderover>${SUM}${A}${B}</munderover>`,
      '\\sum_{a} \\sum^{b} \\sum_{a}^{b}',
    ],
    ['limits of a name', '<munder><mi>lim</mi><mi>n</mi></munder>', '\\lim_{n}'],
    [
      'limits below and above',
      `<munder>${A}${B}</munder><mover>${A}<mo>→</mo></mover><munderover>${A}${B}${C}</munderover>`,
      '\\underset{b}{a} \\overset{→}{a} \\underset{b}{\\overset{c}{a}}',
    ],
    ['fences', `<mfenced>${A}${B}</mfenced>`, '\\left( a, b \\right)'],
    [
      'other fences',
      `<mfenced open="[" close="}" separators=";,">${A}${B}</mfenced>`,
      '\\left[ a; b \\right\\}',
    ],
    ['no fences', `<mfenced open="" close="|" separators="">${A}${B}</mfenced>`, '\\left. a b \\right|'],
    [
      'matrices',
      `<mtable><mtr><mtd>${A}</mtd><mtd>${B}</mtd></mtr><mtr><mtd>${C}</mtd><mtd></mtd></mtr></mtable>`,
      '\\begin{matrix} a & b \\\\ c &  \\end{matrix}',
    ],
    ['phantoms and boxes', `<mphantom>${A}</mphantom><menclose>${B}</menclose>`, '\\phantom{a} \\boxed{b}'],
    ['the presentation', `<semantics>${A}<annotation encoding="text/plain">x</annotation></semantics>`, 'a'],
    [
      'the given LaTeX first',
      `<semantics>${A}<annotation encoding="application/x-tex"> \\alpha </annotation></semantics>`,
      '\\alpha',
    ],
    [
      'the given LaTeX, even without a counterpart',
      '<semantics><merror></merror><annotation encoding="LaTeX">x</annotation></semantics>',
      'x',
    ],
    ['and passes over comments', `<!-- x -->${A}<!-- y -->`, 'a'],
  ])('writes %s', (_case, mathml, expected) => {
    expect(latex(mathml)).toBe(expected)
  })

  test('writes whole formulas', () => {
    const quadratic =
      '<mi>x</mi><mo>=</mo><mfrac><mrow><mo>−</mo><mi>b</mi><mo>±</mo><msqrt><msup><mi>b</mi><mn>2</mn></msup><mo>−</mo><mn>4</mn><mi>a</mi><mi>c</mi></msqrt></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac>'
    expect(latex(quadratic)).toBe('x = \\frac{− b ± \\sqrt{b^{2} − 4 a c}}{2 a}')
    const integral =
      '<msubsup><mo>∫</mo><mn>0</mn><mi>∞</mi></msubsup><msup><mi>e</mi><mrow><mo>−</mo><msup><mi>x</mi><mn>2</mn></msup></mrow></msup><mi>d</mi><mi>x</mi>'
    expect(latex(integral)).toBe('\\int_{0}^{∞} e^{− x^{2}} d x')
  })

  test.each([
    ['an unknown element', `${A}<mmultiscripts>${A}</mmultiscripts>`],
    ['an error', `<merror>${A}</merror>`],
    ['HTML', '<mtext><b>x</b></mtext>'],
    ['text outside an element', `${A} and ${B}`],
    ['a fraction of one', `<mfrac>${A}</mfrac>`],
    ['a root of three', `<mroot>${A}${B}${C}</mroot>`],
    ['a script without base', `<msup>${A}</msup>`],
    ['two scripts in one', `<msub>${A}${B}${C}</msub>`],
    ['one script in two', `<msubsup>${A}${B}</msubsup>`],
    ['an underscript alone', `<munder>${A}</munder>`],
    ['an overscript alone', `<mover>${A}</mover>`],
    ['two of under and over', `<munderover>${A}${B}</munderover>`],
    ['a table of something else', `<mtable>${A}</mtable>`],
    ['a labelled row', `<mtable><mlabeledtr><mtd>${A}</mtd></mlabeledtr></mtable>`],
    ['a row of something else', `<mtable><mtr>${A}</mtr></mtable>`],
    ['semantics of nothing', '<semantics><annotation encoding="x">x</annotation></semantics>'],
    ['text with marks', '<mtext>50%</mtext>'],
    ['a string with marks', '<ms>a_b</ms>'],
    ['a backslash', '<mo>\\</mo>'],
    ['nothing at all', ''],
    ['a formula nested too deeply', '<mrow>'.repeat(300) + A],
  ])('does not try %s', (_case, mathml) => {
    expect(latex(mathml)).toBeUndefined()
  })
})

describe('a formula', () => {
  test('alone is code, in LaTeX', () => {
    expect(blocks(`<div><math><msup>${A}<mn>2</mn></msup></math></div>`)).toMatchObject([
      { type: 'code', format: 'latex', text: 'a^{2}' },
    ])
  })

  test('that cannot be converted stays MathML, as written', () => {
    expect(blocks('<math>\n <merror>x</merror>\n</math>')).toMatchObject([
      { type: 'code', format: 'mathml', text: '<math>\n <merror>x</merror>\n</math>' },
    ])
  })

  test('inline is part of the text', () => {
    const math = `<math><mfrac>${A}${B}</mfrac></math>`
    expect(blocks(`<p>so ${math}.</p>`)).toMatchObject([{ type: 'text', text: 'so $\\frac{a}{b}$.' }])
    expect(blocks(`<ul><li>${math}</ul>`)).toMatchObject([{ type: 'list', text: '- $\\frac{a}{b}$' }])
    expect(blocks(`<table><tr><td>x<td>${math}</table>`)).toMatchObject([{ text: 'x\t$\\frac{a}{b}$' }])
    expect(blocks('<p>so <math display="block"><mi>a</mi></math></p>')).toMatchObject([{ text: 'so $$a$$' }])
    expect(blocks('<p>so <math><merror>x</merror></math></p>')).toMatchObject([
      { text: 'so <math><merror>x</merror></math>' },
    ])
  })

  /** 100 bytes of MathML that are `bytes` of LaTeX: `\text{"…"}` has nine around its text. */
  const hundredBytes = (bytes: number) => {
    const page = `<math>${' '.repeat(87 - bytes)}<ms>${'x'.repeat(bytes - 9)}</ms></math>`
    expect(page.length).toBe(100)
    return page
  }

  test.each([
    [85, 'latex'],
    [86, 'mathml'],
  ])('of 100 bytes that LaTeX says in %i is %s', (bytes, format) => {
    expect(blocks(hundredBytes(bytes))).toMatchObject([{ format }])
  })

  test('that the page also draws is rendered once', () => {
    const drawn =
      '<span><span><math><semantics><msqrt><mi>x</mi></msqrt><annotation encoding="application/x-tex">\\sqrt x</annotation></semantics></math></span><span aria-hidden="true"><span>√x<svg><path/></svg></span></span></span>'
    expect(blocks(`<p>so ${drawn} holds</p>`)).toMatchObject([{ type: 'text', text: 'so $\\sqrt x$ holds' }])
    expect(blocks(`<div>${drawn}</div>`)).toMatchObject([{ type: 'code', format: 'latex', text: '\\sqrt x' }])
  })

  test('shows nothing when it is empty', () => {
    expect(blocks('<math><mi></mi></math><p>a <math></math> b</p>')).toMatchObject([{ text: 'a b' }])
  })
})
