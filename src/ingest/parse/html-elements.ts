/** The parts of an HTML text: texts, with entities decoded, and elements. */
export type HtmlNode = string | HtmlElement

export interface HtmlElement {
  /** In lower case. */
  name: string
  /** Names as written. */
  attributes: readonly (readonly [name: string, value: string])[]
  children: HtmlNode[]
  /** It contains a block, so it is not inline. */
  holdsBlock: boolean
  /** Nested too deeply: the content of elements below it is moved beside them. */
  isCut: boolean
  /** Where its tag begins, its content begins and ends, and its closing tag ends, in the source. */
  start: number
  contentStart: number
  contentEnd: number
  end: number
}

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Nothing in them is shown. The title names a page, and the page has its own heading. */
export const SKIPPED = names(
  'script style template title meta link base noframes noembed param source track datalist',
)

export const HEADINGS = names('h1 h2 h3 h4 h5 h6')
export const LISTS = names('ul ol menu dir dl')
export const PREFORMATTED = names('pre listing xmp plaintext')
/** A block whose inline content is one text, even if it is only an image. */
export const PARAGRAPHS = names('p figcaption summary')
export const MEDIA = names('video audio iframe embed object')
export const DRAWINGS = names('svg canvas')

/** Controls are separate words even without a space between them. */
export const CONTROLS = names('button label optgroup option select textarea')

/** Elements that only group: their content is read as part of the parent, on separate lines. */
const CONTAINERS = names(
  'address article aside body center dd details dialog div dt fieldset figure footer form header hgroup html legend li ' +
    'main nav noscript p figcaption summary search section caption thead tbody tfoot tr td th',
)

export const BLOCKS: ReadonlySet<string> = new Set([
  ...CONTAINERS,
  ...HEADINGS,
  ...LISTS,
  ...PREFORMATTED,
  ...MEDIA,
  ...DRAWINGS,
  'blockquote',
  'hr',
  'table',
])

/** Elements that may be in a paragraph, or have no place outside a table or a list of options. */
const NO_END_OF_PARAGRAPH = names(
  'body caption html legend noscript tbody td tfoot th thead tr video audio iframe embed object svg canvas',
)
export const ENDS_PARAGRAPH: ReadonlySet<string> = new Set(
  [...BLOCKS].filter((name) => !NO_END_OF_PARAGRAPH.has(name)),
)

export function isElement(node: HtmlNode): node is HtmlElement {
  return typeof node !== 'string'
}

export function isContainer({ name, attributes }: HtmlElement): boolean {
  // The fallback content of an object is ordinary content.
  if (name === 'object') return !attributes.some(([key]) => key.toLowerCase() === 'data')
  return CONTAINERS.has(name)
}

/** Undefined when it is absent or blank. */
export function attribute(element: HtmlElement, name: string): string | undefined {
  const value = element.attributes.find(([key]) => key.toLowerCase() === name)?.[1].trim()
  return value === '' ? undefined : value
}

/** Pages that draw a formula often add it in MathML for screen readers: then the drawing is left out. */
export function shownChildren({ children }: HtmlElement): readonly HtmlNode[] {
  const isMath = (node: HtmlNode) => isElement(node) && node.name === 'math'
  const holdsMath = children.some(
    (child) => isElement(child) && (isMath(child) || child.children.some(isMath)),
  )
  if (!holdsMath) return children
  return children.filter((child) => !isElement(child) || attribute(child, 'aria-hidden') !== 'true')
}

/** The text as in the source, with line breaks for `<br>`. */
export function rawText(element: HtmlElement): string {
  let text = ''
  for (const child of element.children) {
    if (!isElement(child)) text += child
    else if (child.name === 'br') text += '\n'
    else if (!SKIPPED.has(child.name)) text += rawText(child)
  }
  return text
}
