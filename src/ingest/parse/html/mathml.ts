import { redactionMarkers } from '../../../core/redact.ts'
import { attribute, type HtmlElement, type HtmlNode, isElement } from '../html-elements.ts'

/** Operators with limits below and above. */
const OPERATORS: Readonly<Record<string, string>> = {
  '∑': '\\sum',
  '∏': '\\prod',
  '∫': '\\int',
  '∬': '\\iint',
  '∭': '\\iiint',
  '∮': '\\oint',
}
const FUNCTIONS = new Set(['lim', 'inf', 'sup', 'min', 'max'])
const LIMIT_OPERATORS = new Set([...Object.values(OPERATORS), ...[...FUNCTIONS].map((name) => `\\${name}`)])

/** Means something else in LaTeX, in text as well as in a formula. */
const SPECIAL = /[{}\\$&%#_^]/
/** Function application, invisible times, separator and plus: for renderers only. */
const INVISIBLE = /[\u2061-\u2064]/g

/** Thrown and caught here: a formula is converted as a whole or not at all. */
class NotConvertible extends Error {}

/** The formula in LaTeX; undefined when some part of it has no counterpart here. */
export function toLatex(math: HtmlElement): string | undefined {
  try {
    const latex = convert(math).trim()
    return latex === '' ? undefined : latex
  } catch (error) {
    if (error instanceof NotConvertible) return undefined
    throw error
  }
}

type Converter = (element: HtmlElement) => string

const CONVERTERS: Readonly<Record<string, Converter>> = {
  math: row,
  mrow: row,
  mpadded: row,
  mstyle: row,
  maction: row,
  mtd: row,
  mi: (element) => {
    const text = symbol(element)
    return FUNCTIONS.has(text) ? `\\${text}` : text
  },
  mn: symbol,
  mo: symbol,
  mtext: (element) => `\\text{${plainText(element)}}`,
  ms: (element) => `\\text{"${plainText(element)}"}`,
  mspace: () => '\\,',
  mfrac: (element) => {
    const [above, below] = parts(element, 2)
    return `\\frac{${above}}{${below}}`
  },
  msqrt: (element) => `\\sqrt{${row(element)}}`,
  mroot: (element) => {
    const [radicand, index] = parts(element, 2)
    return `\\sqrt[${index}]{${radicand}}`
  },
  msup: (element) => {
    const [base, sup] = parts(element, 2)
    return `${braced(base)}^{${sup}}`
  },
  msub: (element) => {
    const [base, sub] = parts(element, 2)
    return `${braced(base)}_{${sub}}`
  },
  msubsup: (element) => {
    const [base, sub, sup] = parts(element, 3)
    return `${braced(base)}_{${sub}}^{${sup}}`
  },
  munder: (element) => {
    const [base, under] = parts(element, 2)
    return LIMIT_OPERATORS.has(base) ? `${base}_{${under}}` : `\\underset{${under}}{${base}}`
  },
  mover: (element) => {
    const [base, over] = parts(element, 2)
    return LIMIT_OPERATORS.has(base) ? `${base}^{${over}}` : `\\overset{${over}}{${base}}`
  },
  munderover: (element) => {
    const [base, under, over] = parts(element, 3)
    if (LIMIT_OPERATORS.has(base)) return `${base}_{${under}}^{${over}}`
    return `\\underset{${under}}{\\overset{${over}}{${base}}}`
  },
  mfenced: fenced,
  mtable: table,
  mphantom: (element) => `\\phantom{${row(element)}}`,
  menclose: (element) => `\\boxed{${row(element)}}`,
  semantics,
}

function convert(element: HtmlElement): string {
  const converter = Object.hasOwn(CONVERTERS, element.name) ? CONVERTERS[element.name] : undefined
  // Content cut for its depth has lost its structure.
  if (!converter || element.isCut) throw new NotConvertible()
  return converter(element)
}

function row(element: HtmlElement): string {
  return childrenOf(element)
    .map(convert)
    .filter((part) => part !== '')
    .join(' ')
}

/** Its children converted, when there are as many as they must be. */
function parts<N extends 2 | 3>(
  element: HtmlElement,
  count: N,
): N extends 2 ? [string, string] : [string, string, string] {
  const converted = childrenOf(element).map(convert)
  if (converted.length !== count) throw new NotConvertible()
  return converted as N extends 2 ? [string, string] : [string, string, string]
}

function childrenOf(element: HtmlElement): HtmlElement[] {
  return element.children.filter((child): child is HtmlElement => {
    if (isElement(child)) return true
    if (child.trim() !== '') throw new NotConvertible()
    return false
  })
}

/** The content of a token: text only. */
function tokenText(element: HtmlElement): string {
  const isText = (child: HtmlNode): child is string => !isElement(child)
  if (!element.children.every(isText)) throw new NotConvertible()
  return element.children.join('').replace(/\s+/g, ' ').trim()
}

function plainText(element: HtmlElement): string {
  return outsideMarkers(tokenText(element), (text) => {
    if (SPECIAL.test(text)) throw new NotConvertible()
    return text
  })
}

/** Other Unicode symbols stay unchanged. */
function symbol(element: HtmlElement): string {
  const text = tokenText(element).replace(INVISIBLE, '')
  if (/[\\^]/.test(text)) throw new NotConvertible()
  return OPERATORS[text] ?? escapeSpecial(text)
}

function escapeSpecial(text: string): string {
  return outsideMarkers(text, (part) => part.replace(/[{}$&%#_]/g, '\\$&'))
}

/** The marker for a removed secret is the same in every text. */
function outsideMarkers(text: string, write: (part: string) => string): string {
  let result = ''
  let at = 0
  for (const { start, end } of redactionMarkers(text)) {
    result += write(text.slice(at, start)) + text.slice(start, end)
    at = end
  }
  return result + write(text.slice(at))
}

/** A script belongs to one character or one command; anything longer needs braces. */
function braced(base: string): string {
  return /^(?:.|\\[A-Za-z]+)$/su.test(base) ? base : `{${base}}`
}

function fenced(element: HtmlElement): string {
  const open = rawAttribute(element, 'open') ?? '('
  const close = rawAttribute(element, 'close') ?? ')'
  const [separator = ''] = (rawAttribute(element, 'separators') ?? ',').trim()
  const inner = childrenOf(element)
    .map(convert)
    .join(`${fence(separator, '')} `)
  return `\\left${fence(open, '.')} ${inner} \\right${fence(close, '.')}`
}

function fence(mark: string, none: string): string {
  const text = mark.trim()
  if (/[\\^]/.test(text)) throw new NotConvertible()
  return text === '' ? none : escapeSpecial(text)
}

/** An empty fence is none, an absent one is a parenthesis. */
function rawAttribute(element: HtmlElement, name: string): string | undefined {
  return element.attributes.find(([key]) => key.toLowerCase() === name)?.[1]
}

function table(element: HtmlElement): string {
  const rows = childrenOf(element).map((child) => cellsOf(child).join(' & '))
  return `\\begin{matrix} ${rows.join(' \\\\ ')} \\end{matrix}`
}

function cellsOf(element: HtmlElement): string[] {
  if (element.name !== 'mtr' || element.isCut) throw new NotConvertible()
  return childrenOf(element).map((cell) => {
    if (cell.name !== 'mtd') throw new NotConvertible()
    return convert(cell)
  })
}

/** The author's own LaTeX when it is given along, else the presentation. */
function semantics(element: HtmlElement): string {
  const children = childrenOf(element)
  const annotation = children.find(isTex)
  if (annotation) return tokenText(annotation)
  const presentation = children.find(({ name }) => name !== 'annotation' && name !== 'annotation-xml')
  if (!presentation) throw new NotConvertible()
  return convert(presentation)
}

function isTex(element: HtmlElement): boolean {
  const encoding = attribute(element, 'encoding')?.toLowerCase()
  const isTexName = encoding === 'application/x-tex' || encoding === 'tex' || encoding === 'latex'
  return element.name === 'annotation' && isTexName && tokenText(element) !== ''
}
