import type { Tool, Toolset } from './tool.ts'

/** What an operator wants answers to be: their text, or their text with the same as data (`structuredContent`) beside it. */
export const ANSWERS = ['text', 'both'] as const
export type Answers = (typeof ANSWERS)[number]

/** Their clients read the data whatever the operator wants: it is part of the interface they were written for. */
const ALWAYS_BOTH: readonly Toolset[] = ['keys']

/** The first revision of the protocol that has data. */
const FIRST_WITH_DATA = '2025-06-18'

export interface DataChoice {
  answers: Answers
  /** The revision that the client speaks. */
  protocol: string
}

/** Whether answers of a tool have data, and its listing a schema of it: a client that is shown one without the other fails. */
export function sendsData({ toolset }: Pick<Tool, 'toolset'>, { answers, protocol }: DataChoice): boolean {
  return protocol >= FIRST_WITH_DATA && (answers === 'both' || ALWAYS_BOTH.includes(toolset))
}
