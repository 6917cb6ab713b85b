import { MemoryError } from '../../core/errors.ts'
import { TOOLSETS, type Tool, type Toolset } from './tool.ts'
import { memoryCompile } from './tree/memory-compile.ts'
import { memoryDelta } from './tree/memory-delta.ts'
import { memoryDiff } from './tree/memory-diff.ts'
import { memoryFetch } from './tree/memory-fetch.ts'
import { memoryFetchBatch } from './tree/memory-fetch-batch.ts'
import { memoryForget } from './tree/memory-forget.ts'
import { memoryHistory } from './tree/memory-history.ts'
import { memoryPin } from './tree/memory-pin.ts'
import { memoryRelate } from './tree/memory-relate.ts'
import { memoryRelated } from './tree/memory-related.ts'
import { memoryRollback } from './tree/memory-rollback.ts'
import { memorySearch } from './tree/memory-search.ts'
import { memoryStats } from './tree/memory-stats.ts'
import { memorySummarize } from './tree/memory-summarize.ts'
import { memoryTree } from './tree/memory-tree.ts'
import { memoryUnpin } from './tree/memory-unpin.ts'
import { memoryWrite } from './tree/memory-write.ts'

/** In the order in which a client lists them: reads, then writes. */
const TOOLS: Record<Toolset, readonly Tool[]> = {
  tree: [
    memoryTree,
    memorySearch,
    memoryFetch,
    memoryFetchBatch,
    memoryDelta,
    memoryDiff,
    memoryHistory,
    memoryRelated,
    memoryStats,
    memoryWrite,
    memorySummarize,
    memoryCompile,
    memoryRelate,
    memoryForget,
    memoryRollback,
    memoryPin,
    memoryUnpin,
  ],
}

/** The tools of these toolsets, each once, in one order whatever the order of the names. `all`: of every toolset. */
export function toolsOf(names: readonly string[]): Tool[] {
  const unknown = names.find((name) => name !== 'all' && !TOOLSETS.some((known) => known === name))
  if (unknown !== undefined || names.length === 0) {
    const what = unknown === undefined ? 'no toolset is given' : `there is no toolset "${unknown}"`
    throw new MemoryError('INVALID_INPUT', `${what}; there are ${[...TOOLSETS, 'all'].join(', ')}`)
  }
  const chosen = TOOLSETS.filter((toolset) => names.includes('all') || names.includes(toolset))
  return chosen.flatMap((toolset) => TOOLS[toolset])
}
