import type { Block } from './model.ts'
import type { Redact } from './redact.ts'

/** Parses a text without its secrets. Fills `levels` with the depth of headings. */
export type ParseText = (text: string, levels?: Map<Block, number>) => Block[]

/** The functions that a preparation may use. */
export interface PrepareTools {
  redact: Redact
  /** At least one block for any text that is not blank. Throws TooManyBlocks. */
  parse: ParseText
  /** Like `parse`, for the whole text of a document from any source: one with too many blocks becomes plain text. */
  parseWhole: ParseText
}

/**
 * The slow part of storing a text, before the transaction. Like an operation it may run in another thread: input and output are
 * plain data, and each is listed in `preparations.ts`.
 */
export interface Preparation<I, O> {
  name: string
  /** The length of all texts in the input, in characters. */
  lengthOf(input: I): number
  run(tools: PrepareTools, input: I): O
}

/** Runs a preparation, possibly in another thread. */
export type Prepare = <I, O>(preparation: Preparation<I, O>, input: I) => Promise<O>

export function prepareInPlace(tools: PrepareTools): Prepare {
  return async (preparation, input) => preparation.run(tools, input)
}

/** Redacts a text; nothing else. */
export const prepareRedacted: Preparation<string, string> = {
  name: 'redact',
  lengthOf: (text) => text.length,
  run: ({ redact }, text) => redact(text),
}
