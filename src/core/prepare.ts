import type { Block } from './model.ts'
import type { Redact } from './redact.ts'

/** Takes a text apart, without secrets. `levels` is filled with how deep headings are. */
export type ParseText = (text: string, levels?: Map<Block, number>) => Block[]

/** What texts are made ready with. */
export interface PrepareTools {
  redact: Redact
  /** At least one block for any text that is not blank. Throws TooManyBlocks. */
  parse: ParseText
  /** As `parse`, for the whole text of a document, however it came to be: one of too many blocks is plain text. */
  parseWhole: ParseText
}

/**
 * The slow part of storing a text, before the transaction. Like an operation it may run in another thread: input and output are
 * plain data, and each is listed in `preparations.ts`.
 */
export interface Preparation<I, O> {
  name: string
  /** Of all texts of the input, in characters. */
  lengthOf(input: I): number
  run(tools: PrepareTools, input: I): O
}

/** Runs a preparation, wherever that is. */
export type Prepare = <I, O>(preparation: Preparation<I, O>, input: I) => Promise<O>

export function prepareInPlace(tools: PrepareTools): Prepare {
  return async (preparation, input) => preparation.run(tools, input)
}

/** A text without its secrets, and nothing else. */
export const prepareRedacted: Preparation<string, string> = {
  name: 'redact',
  lengthOf: (text) => text.length,
  run: ({ redact }, text) => redact(text),
}
