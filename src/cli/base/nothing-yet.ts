import { compilingLine, NOTHING_YET } from '../../core/compile/compile-progress.ts'
import type { Memory } from '../../runtime/memory/open-memory.ts'

/** Instead of what an empty memory prints, while another process fills it; undefined where none does. */
export async function findNothingYet(memory: Memory): Promise<string[] | undefined> {
  const progress = await memory.findFirstCompile()
  return progress && [NOTHING_YET, compilingLine(progress)]
}
