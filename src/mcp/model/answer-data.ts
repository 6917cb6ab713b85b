import type { Tool, Toolset } from './tool.ts'

/** The form of answers, chosen by the operator: text only, or text and the same as data (`structuredContent`). */
export const ANSWERS = ['text', 'both'] as const
export type Answers = (typeof ANSWERS)[number]

/** Their clients always read the data: it is part of the interface they were written for. */
const ALWAYS_BOTH: readonly Toolset[] = ['keys']

/** The first revision of the protocol that has data. */
const FIRST_WITH_DATA = '2025-06-18'

export interface DataChoice {
  answers: Answers
  /** The revision that the client speaks. */
  protocol: string
}

/** Whether answers of a tool have data, and its listing a schema for it: clients fail if they get one without the other. */
export function sendsData({ toolset }: Pick<Tool, 'toolset'>, { answers, protocol }: DataChoice): boolean {
  return protocol >= FIRST_WITH_DATA && (answers === 'both' || ALWAYS_BOTH.includes(toolset))
}
