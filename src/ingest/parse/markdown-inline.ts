import { type Env, inlineParts, type Token, tokenizeInline } from './markdown-tokens.ts'

const MARKUP = /[\\`*_[<&]/

/** The text of a paragraph, heading or cell: emphasis gone, links and images kept, line breaks as newlines. */
export function renderInline(source: string, env: Env): string {
  if (!MARKUP.test(source)) return source.includes('\n') ? trimLines(source) : source
  let text = ''
  for (const part of inlineParts(source)) text += renderTokens(tokenizeInline(part, env))
  return text
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
      return renderCode(token)
    case 'image':
      return `![${renderTokens(token.children ?? [])}](${destination(token, 'src')})`
    default:
      // Text, escapes, entities and raw HTML have content; the marks of emphasis have none.
      return token.content
  }
}

/** Backticks go, except around `[[`: without them a later reader would take it for a link. */
function renderCode({ content, markup }: Token): string {
  if (!content.includes('[[')) return content
  const pad = content.startsWith('`') || content.endsWith('`') ? ' ' : ''
  return `${markup}${pad}${content}${pad}${markup}`
}

function destination(token: Token, attribute: 'href' | 'src'): string {
  const url = String(token.attrGet(attribute) ?? '')
  const title = token.attrGet('title')
  const target = needsBrackets(url) ? `<${url}>` : url
  return title === null ? target : `${target} "${String(title).replaceAll('"', '\\"')}"`
}

function needsBrackets(url: string): boolean {
  if (!/[\s()]/.test(url)) return false
  if (/\s/.test(url)) return true
  let depth = 0
  for (const char of url) {
    if (char === '(') depth++
    else if (char === ')' && --depth < 0) return true
  }
  return depth !== 0
}
