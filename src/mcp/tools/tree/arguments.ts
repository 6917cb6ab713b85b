import { MIN_BUDGET } from '../../../core/find/budget.ts'
import { utf8Length } from '../../../core/tokens.ts'
import { formerly, integer, optional, text, type Value } from '../../model/schema.ts'

/** Arguments that several tools have. */

const MAX_PAGE = 1000
/** Longer than any id or cursor: longer input was sent by mistake, and is not repeated in errors. */
const MAX_NAME = 64
/** Longer than any way to a file, any heading, any remark on a snapshot. */
export const MAX_LINE = 4096

export const NODE_ID = nodeArgument('Node id')
export const BUDGET = optional(integer(`Max tokens, from ${MIN_BUDGET}; 0: no limit`, { min: 0 }))
export const LIMIT = optional(integer(`Max rows, up to ${MAX_PAGE}`, { min: 1, max: MAX_PAGE }))
export const AFTER = optional(cursorArgument('From the last page'))
export const OFFSET = optional(integer('From the last answer', { min: 0 }))
export const EXPECTED_VERSION = optional(integer('Refused if changed since this snapshot', { min: 0 }))

/** The one node that a call is about: `id` in every tool. */
export function nodeArgument(description: string): Value<string> {
  return formerly(idArgument(description), 'anchor', 'node_id')
}

/** Some cursors are whole numbers, and a model sends them as such. */
function cursorArgument(description: string): Value<string> {
  const cursor = idArgument(description)
  return {
    ...cursor,
    read: (value, name) => cursor.read(Number.isSafeInteger(value) ? String(value) : value, name),
  }
}

/** The id of a node, or a cursor, under another name than `id`. */
export function idArgument(description: string): Value<string> {
  return text(description, { max: MAX_NAME })
}

/** For the log: the name of a checkpoint is content. */
export function loggedMoment(moment: string | undefined): string | undefined {
  return moment === undefined || /^\d{1,15}$/.test(moment) ? moment : 'no number'
}

/** As in every tool that has one: 0 is the default, and more than there can be is all there is. */
export function depthArgument(levels: string, { usual, most }: Depths) {
  return optional(integer(`${levels}, up to ${most}. Default ${usual}`, { min: 0 }))
}

export interface Depths {
  usual: number
  most: number
}

export function depthOf(depth: number | undefined, { usual, most }: Depths): number {
  return depth ? Math.min(depth, most) : usual
}

/** An id for the log. Anything else may be content: only its size is logged. */
export function loggedId(id: string | undefined): string | undefined {
  if (id === undefined || /^[0-9A-Za-z]{11}$/.test(id)) return id
  return `no id, ${utf8Length(id)} bytes`
}
