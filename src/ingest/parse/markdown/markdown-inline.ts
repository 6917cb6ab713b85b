import { fileLink } from '../../../core/link-file.ts'
import type { Link } from '../../../core/model.ts'
import type { Redact } from '../../../core/redact.ts'
import { redactMarkup } from '../html-redact.ts'
import { renderCodeSpan, renderDestination } from '../markdown-text.ts'
import { type Env, inlineParts, type Token, tokenizeInline } from './markdown-tokens.ts'

const MARKUP = /[\\`*_[<&]/

/** The text of a paragraph, heading or cell: emphasis removed, links and images kept, line breaks as newlines. */
export function renderInline(source: string, { env, redact }: { env: Env; redact: Redact }): string {
  if (!MARKUP.test(source)) return source.includes('\n') ? trimLines(source) : source
  const tokens = [...inlineParts(source)].flatMap((part) => tokenizeInline(part, env))
  const text = renderTokens(tokens)
  env.links.push(...fileLinks(tokens))
  if (!tokens.some(({ type }) => type === 'html_inline')) return text
  // A secret within one piece is found with the rest of the block.
  const redacted = redactMarkup(text, redact)
  return redacted.isMarkup ? text : redacted.text
}

/** Markdown links to files are links as `[[…]]` are. */
function fileLinks(tokens: readonly Token[]): Link[] {
  return tokens
    .filter(({ type, info }) => type === 'link_open' && info !== 'auto')
    .flatMap((token) => fileLink(String(token.attrGet('href') ?? '')) ?? [])
}

function trimLines(source: string): string {
  return source
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
}

function renderTokens(tokens: readonly Token[]): string {
  let text = ''
  let link: Token | undefined
  for (const token of tokens) {
    if (token.type === 'link_open') {
      link = token
      if (link.info !== 'auto') text += '['
    } else if (token.type === 'link_close') {
      if (link && link.info !== 'auto') text += `](${destination(link, 'href')})`
      link = undefined
    } else text += renderToken(token)
  }
  return text
}

function renderToken(token: Token): string {
  switch (token.type) {
    case 'softbreak':
    case 'hardbreak':
      return '\n'
    case 'code_inline':
      return renderCodeSpan(token.content)
    case 'image':
      return `![${renderTokens(token.children ?? [])}](${destination(token, 'src')})`
    default:
      // Text, escapes, entities and raw HTML have content; the marks of emphasis have none.
      return token.content
  }
}

function destination(token: Token, attribute: 'href' | 'src'): string {
  const title = token.attrGet('title')
  return renderDestination(String(token.attrGet(attribute) ?? ''), title === null ? null : String(title))
}
