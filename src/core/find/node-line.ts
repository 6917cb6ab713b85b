import { escapeNodeName } from '../answer-lines.ts'
import type { NodeType } from '../model.ts'
import { utf8End, utf8Length } from '../tokens.ts'
import { type Paint, PLAIN } from './paint.ts'

/** The facts on the line of a node. */
export interface LineNode {
  id: string
  type: NodeType
  label: string
  tokens: number
  temperature: number
}

/** A node in a document, as `tree` and `fetch` return it. */
export interface PlacedNode extends LineNode {
  /** From 0 at the top of its document. */
  depth: number
  path: string
  /** Not even a whole line fitted: as text it has only its type, label and id. */
  brief?: boolean
}

export interface LineOptions {
  /** The level of indentation; two spaces each. */
  level?: number
  /** Its file; omitted if that is clear. */
  file?: string | undefined
  /** Facts of one kind of answer, such as `score=1.24`. */
  facts?: string | undefined
  /** How many tokens of its text were left out. */
  cut?: number | undefined
  /** Parts of its line were left out. */
  isCut?: boolean | undefined
  /** Maximum bytes of a label that is not a heading's. */
  labelBytes?: number | undefined
  /** It only shows the place of other nodes: without its heat and size. */
  isPlace?: boolean | undefined
  /** Only what is needed to continue: type, the beginning of the label, id. */
  brief?: boolean | undefined
  /** The label with its matches highlighted, ready to print. */
  shownLabel?: string | undefined
  paint?: Paint
}

const MAX_LEVEL = 16
const BRIEF_LABEL_BYTES = 24

/** `[list] Groceries (id=25FHWVYdid1 file=a.md temp=0.35 tok=31)`: the line of a node in every answer. */
export function nodeLine(node: LineNode, options: LineOptions = {}): string {
  const {
    level = 0,
    file,
    facts,
    cut,
    isCut,
    isPlace,
    brief,
    labelBytes,
    shownLabel,
    paint = PLAIN,
  } = options
  const { id, type, temperature, tokens } = node
  const whole = escapeNodeName(node.label)
  const label = shownLabel ?? (labelBytes && type !== 'heading' ? startOf(whole, labelBytes) : whole)
  const missing = cut ? ` cut=${cut}` : isCut ? ' cut' : ''
  const kind = paint.type(`[${type}]`)
  if (brief) return `${kind} ${startOf(label, BRIEF_LABEL_BYTES)} ${paint.dim(`(id=${id}${missing})`)}`
  const from = file === undefined ? '' : ` file=${escapeNodeName(file)}`
  const before = `(id=${id}${from}${facts ? ` ${facts}` : ''}`
  const heat = (): string => paint.heat(`temp=${temperature.toFixed(2)}`, temperature)
  const details = isPlace
    ? paint.dim(`${before}${missing})`)
    : `${paint.dim(`${before} `)}${heat()}${paint.dim(` tok=${tokens}${missing})`)}`
  return `${indent(level)}${kind} ${label === '' ? '' : `${label} `}${details}`
}

/** Deeper levels are not indented further: a line must not be all blanks. */
export function indent(level: number): string {
  return '  '.repeat(Math.min(level, MAX_LEVEL))
}

function startOf(text: string, maxBytes: number): string {
  return utf8Length(text) <= maxBytes ? text : `${text.slice(0, utf8End(text, 0, maxBytes))}…`
}

export function nextLine(id: string): string {
  return `… next in this document: id=${id}`
}

/**
 * The line of an answer without entries: `none` if there are none at all. `pastEnd`: the offset, if it is past the end.
 */
export function nothingLine(none: string, pastEnd: number | undefined): string {
  return pastEnd === undefined ? none : `nothing after offset=${pastEnd}`
}
