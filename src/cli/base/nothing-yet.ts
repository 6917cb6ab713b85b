import { compilingLine, NOTHING_YET } from '../../core/compile/compile-progress.ts'
import type { Memory } from '../../runtime/memory/open-memory.ts'

/** Replaces the output for an empty memory while another process fills it; undefined if none does. */
export async function findNothingYet(memory: Memory): Promise<string[] | undefined> {
  const progress = await memory.findFirstCompile()
  return progress && [NOTHING_YET, compilingLine(progress)]
}
