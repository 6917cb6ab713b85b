import MarkdownIt, {
  type Env as MarkdownEnv,
  type MarkdownIt as Parser,
  type StateBlock,
  type StateInline,
  type Token,
} from 'markdown-it'
import definitionLists from 'markdown-it-deflist'
import { parseLink, renderLink } from '../../../core/link-text.ts'
import type { Link } from '../../../core/model.ts'
import { checkMarks, limitedTokens } from '../block-limit.ts'

export type { Token }

/** Shared by the tokens of one text: the targets of its references, and the links found since `takeLinks`. */
export interface Env extends MarkdownEnv {
  links: Link[]
}

/** Containers nested deeper than this are text. A list takes two levels, so this is deeper than anyone indents. */
const MAX_BLOCK_LEVEL = 28

/** One paragraph is read in parts of this length: some hostile inputs take quadratic time. */
const MAX_INLINE_LENGTH = 16384

/** Where an inline construct may begin or end; everything between is plain. */
const INLINE_MARKS = new Uint8Array(128)
for (const mark of '\n!&*<[\\]_`') INLINE_MARKS[mark.charCodeAt(0)] = 1

const markdownIt = createMarkdownIt()

/** Throws TooManyBlocks if there are more than `maxBlocks`, or too many marks in their text. */
export function tokenizeBlocks(source: string, maxBlocks?: number): { tokens: Token[]; env: Env } {
  const tokens: Token[] = maxBlocks === undefined ? [] : limitedTokens(source, maxBlocks)
  const env: Env = { links: [] }
  markdownIt.block.parse(source, markdownIt, env, tokens)
  if (maxBlocks !== undefined) checkMarks(tokens, { length: source.length, maxBlocks })
  return { tokens, env }
}

/** The inline tokens of one part of a paragraph, heading or cell. References are resolved through `env`. */
export function tokenizeInline(part: string, env: Env): Token[] {
  const tokens: Token[] = []
  markdownIt.inline.parse(part, markdownIt, env, tokens)
  return tokens
}

/** The links met since the last call. */
export function takeLinks(env: Env): Link[] {
  const { links } = env
  if (links.length > 0) env.links = []
  return links
}

/** Nearly always the whole source. Parts are cut between words; no construct is recognised across a cut. */
export function* inlineParts(source: string): Generator<string> {
  for (let start = 0; start < source.length; ) {
    const end = partEnd(source, start)
    yield source.slice(start, end)
    start = end
  }
}

function partEnd(source: string, start: number): number {
  const limit = start + MAX_INLINE_LENGTH
  if (limit >= source.length) return source.length
  const part = source.slice(start, limit)
  const gap = Math.max(part.lastIndexOf('\n'), part.lastIndexOf(' '))
  if (gap > 0) return start + gap
  return isLowSurrogate(source.charCodeAt(limit)) ? limit - 1 : limit
}

function createMarkdownIt(): Parser {
  const it = new MarkdownIt({ html: true, linkify: false, typographer: false, maxNesting: 32 })
  it.use(definitionLists)
  it.disable(['strikethrough', 'linkify'])
  it.block.ruler.before('table', 'nesting_limit', nestingLimit)
  it.inline.ruler.at('text', plainText)
  it.inline.ruler.before('link', 'wikilink', wikilink)
  // Nothing is rendered as HTML here: a destination stays as its author wrote it.
  it.validateLink = () => true
  it.normalizeLink = (url) => url
  it.normalizeLinkText = (url) => url
  return it
}

/** markdown-it drops content that is nested too deeply; here it stays, as text. */
function nestingLimit(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || state.level < MAX_BLOCK_LEVEL) return false
  let line = startLine + 1
  while (line < endLine && belongsToBlock(state, line)) line++
  state.line = line
  const token = state.push('too_deep', '', 0)
  token.content = state.getLines(startLine, line, state.blkIndent, false)
  return true
}

/** A lazy continuation line of a quotation has a negative indent. */
function belongsToBlock(state: StateBlock, line: number): boolean {
  const indent = state.sCount[line] ?? 0
  return state.isEmpty(line) || indent < 0 || indent >= state.blkIndent
}

/** As markdown-it's own rule, which also stops at marks that only its plugins use. */
function plainText(state: StateInline, silent: boolean): boolean {
  const { src, posMax } = state
  let pos = state.pos
  while (pos < posMax && INLINE_MARKS[src.charCodeAt(pos)] !== 1) pos++
  if (pos === state.pos) return false
  if (!silent) state.pending += src.slice(state.pos, pos)
  state.pos = pos
  return true
}

/** `[[…]]` is a link of ours: its content is not Markdown, and its inner brackets are not a reference. */
function wikilink(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== OPEN || src.charCodeAt(pos + 1) !== OPEN) return false
  const close = endOfLabel(src, pos + 2, state.posMax)
  if (close < 0) return false
  if (!silent) state.pending += readLink(state.env as Env, oneLine(src.slice(pos + 2, close)))
  state.pos = close + 2
  return true
}

function readLink(env: Env, inner: string): string {
  const link = parseLink(inner)
  if (!link) return `[[${inner}]]`
  env.links.push(link)
  return renderLink(link)
}

function endOfLabel(src: string, start: number, max: number): number {
  let pos = start
  while (pos < max && src.charCodeAt(pos) !== OPEN && src.charCodeAt(pos) !== CLOSE) pos++
  const isClosed =
    pos > start && pos + 1 < max && src.charCodeAt(pos) === CLOSE && src.charCodeAt(pos + 1) === CLOSE
  return isClosed ? pos : -1
}

/** A label wrapped over two lines names the same node. */
function oneLine(inner: string): string {
  if (!inner.includes('\n')) return inner
  return inner
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

const OPEN = 91
const CLOSE = 93
