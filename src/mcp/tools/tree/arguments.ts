import { MIN_BUDGET } from '../../../core/find/budget.ts'
import { utf8Length } from '../../../core/tokens.ts'
import { integer, optional, text } from '../../schema.ts'

/** Arguments that several tools have. */

const MAX_PAGE = 1000
/** Longer than any id or cursor: what is sent by mistake in its place is not repeated in errors. */
const MAX_NAME = 64
/** Longer than any way to a file, any heading, any remark on a snapshot. */
export const MAX_LINE = 4096

export const NODE_ID = idArgument('Id of a node')
export const BUDGET = optional(
  integer(`At most so many tokens of text, from ${MIN_BUDGET}; 0: no limit`, { min: 0 }),
)
export const LIMIT = optional(integer('At most so many rows', { min: 1, max: MAX_PAGE }))
export const AFTER = optional(idArgument('Go on: `after` of the last page'))
export const OFFSET = optional(integer('Go on: `offset` of the last answer', { min: 0 }))
export const EXPECTED_VERSION = optional(
  integer('Snapshot you have read; refused if the node changed later', { min: 0 }),
)

/** The id of a node, under another description. */
export function idArgument(description: string) {
  return text(description, { max: MAX_NAME })
}

/** As in every tool that has one: 0 is the default, and more than there can be is all there is. */
export function depthArgument(levels: string, { usual, most }: Depths) {
  return optional(integer(`${levels}. Default ${usual}, at most ${most}`, { min: 0 }))
}

export interface Depths {
  usual: number
  most: number
}

export function depthOf(depth: number | undefined, { usual, most }: Depths): number {
  return depth ? Math.min(depth, most) : usual
}

/** An id as a log may have it. What is no id may be anything: only its size is told. */
export function loggedId(id: string | undefined): string | undefined {
  if (id === undefined || /^[0-9A-Za-z]{11}$/.test(id)) return id
  return `no id, ${utf8Length(id)} bytes`
}
