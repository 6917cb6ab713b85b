import { type ForgetResult, forget } from './forget.ts'
import type { ForgetMode } from './model.ts'
import {
  type RelateDeps,
  type RelateInput,
  type RelateResult,
  type RelateTarget,
  relate,
  unrelate,
} from './relate.ts'
import { type SummarizeDeps, type SummarizeInput, type SummarizeResult, summarize } from './summarize.ts'
import { type WriteInput, type WriteResult, write } from './write.ts'

export interface TreeDoorDeps {
  /** Dependencies of writes, with the current settings. */
  writing: () => SummarizeDeps
  linking: RelateDeps
}

/** Edits of nodes, signed by one author. A node may belong to a document of any door. */
export function createTreeDoor({ writing, linking }: TreeDoorDeps) {
  return {
    /** Stores a note, adds blocks under a node (`parent`), or replaces a node's text (`anchor`). */
    write: async (input: WriteInput): Promise<WriteResult> => write(writing(), input),
    /** Replaces a node's text with a shorter one. */
    summarize: async (input: SummarizeInput): Promise<SummarizeResult> => summarize(writing(), input),
    /** Removes a node. */
    forget: async (input: { id: string; mode?: ForgetMode }): Promise<ForgetResult> =>
      forget(writing(), input),
    /** Links two nodes by hand; the link stays pending until its target exists. */
    relate: (input: RelateInput): Promise<RelateResult> => relate(linking, input),
    /** Removes a manual link; returns how many were removed. */
    unrelate: (input: RelateTarget): Promise<number> => unrelate(linking, input),
  }
}

export type TreeDoor = ReturnType<typeof createTreeDoor>
