/** Notation for rich content inside a text, for every source format. */

/** A longer `data:` URL is a picture, not something to read. */
const MAX_DATA_LENGTH = 100

/** `[text](url "title")` without its text. A data URL is reduced to its type. */
export function renderDestination(url: string, title: string | null | undefined): string {
  const shown = url.length > MAX_DATA_LENGTH ? url.replace(/^(data:[^;,\s]{0,100})[;,].*$/is, '$1') : url
  const target = needsBrackets(shown) ? `<${shown}>` : shown
  return title === null || title === undefined ? target : `${target} "${title.replaceAll('"', '\\"')}"`
}

const TAG = /(?:^|[\s(])#[\p{L}\p{N}_/-]*\p{L}/u

/** Without backticks, except around `[[` and `#word`: without them a later reader would take it for a link or a tag. */
export function renderCodeSpan(code: string): string {
  if (!code.includes('[[') && !TAG.test(code)) return code
  const ticks = '`'.repeat(longestRun(code, /`+/g, 0) + 1)
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : ''
  return `${ticks}${pad}${code}${pad}${ticks}`
}

/** Inside a list or a quotation code needs its fence to be distinguished from the text around it. */
export function renderNestedCode(info: string, body: string): string {
  const code = body.trimEnd()
  if (code === '') return ''
  const fence = '`'.repeat(longestRun(code, /`{3,}/g, 2) + 1)
  return `${fence}${info}\n${code}\n${fence}`
}

/** The content below the first line of an item, indented by two. */
export function indent(text: string): string {
  return text.includes('\n') ? text.replaceAll('\n', '\n  ') : text
}

function longestRun(text: string, runs: RegExp, least: number): number {
  return (text.match(runs) ?? []).reduce((length, run) => Math.max(length, run.length), least)
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
