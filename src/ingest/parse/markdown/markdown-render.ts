import type { Redact } from '../../../core/redact.ts'
import { redactMarkup } from '../html-redact.ts'
import { indent, renderNestedCode } from '../markdown-text.ts'
import { renderInline } from './markdown-inline.ts'
import type { Env, Token } from './markdown-tokens.ts'

/** A position in the flat token list; every function here moves it past the tokens it has rendered. */
export interface Cursor {
  readonly tokens: readonly Token[]
  readonly env: Env
  at: number
  /** For markup that is kept as written. */
  readonly redact: Redact
}

/** The text of the block that begins with `token`, which the cursor has just passed. Empty when it shows nothing. */
export function renderBlock(cursor: Cursor, token: Token): string {
  switch (token.type) {
    case 'inline':
      return renderInline(token.content, cursor)
    case 'bullet_list_open':
    case 'ordered_list_open':
    case 'dl_open':
      return renderList(cursor)
    case 'table_open':
      return renderTable(cursor)
    case 'fence':
    case 'code_block':
      return renderNestedCode(token.info.trim(), token.content)
    case 'html_block':
      return redactMarkup(token.content.trim(), cursor.redact).text
    case 'too_deep':
      return token.content.trim()
    default:
      // Paragraphs, quotations and headings inside them; a rule or a reference definition shows nothing.
      return token.nesting === 1 ? renderFlow(cursor).join('\n\n') : ''
  }
}

/** The blocks up to the end of the open container, without the empty ones. */
function renderFlow(cursor: Cursor): string[] {
  const blocks: string[] = []
  for (let token = next(cursor); token && token.nesting >= 0; token = next(cursor)) {
    const text = renderBlock(cursor, token)
    if (text !== '') blocks.push(text)
  }
  return blocks
}

/** One `- ` line per item; its other content is below it, indented by two. A definition is an item of its term. */
function renderList(cursor: Cursor): string {
  const items: string[] = []
  for (let token = next(cursor); token && token.nesting >= 0; token = next(cursor)) {
    const parts = renderFlow(cursor)
    if (parts.length === 0) continue
    const item = `- ${indent(parts.join('\n'))}`
    items.push(token.type === 'dd_open' && items.length > 0 ? `  ${indent(item)}` : item)
  }
  return items.join('\n')
}

/** Rows of tab-separated cells, header first. */
function renderTable(cursor: Cursor): string {
  const rows: string[] = []
  let cells: string[] = []
  for (let token = next(cursor); token && token.type !== 'table_close'; token = next(cursor)) {
    if (token.type === 'inline') cells.push(renderCell(token, cursor))
    else if (token.type === 'tr_close') {
      if (cells.some((cell) => cell !== '')) rows.push(cells.join('\t'))
      cells = []
    }
  }
  return rows.join('\n')
}

function renderCell(token: Token, cursor: Cursor): string {
  const text = renderInline(token.content, cursor)
  return /[\t\n]/.test(text)
    ? text
        .split(/[\t\n]/)
        .join(' ')
        .trim()
    : text
}

function next(cursor: Cursor): Token | undefined {
  return cursor.tokens[cursor.at++]
}
