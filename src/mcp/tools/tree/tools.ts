import type { Tool } from '../../model/tool.ts'
import { memoryCompile } from './memory-compile.ts'
import { memoryDelta } from './memory-delta.ts'
import { memoryDiff } from './memory-diff.ts'
import { memoryFetch } from './memory-fetch.ts'
import { memoryFetchBatch } from './memory-fetch-batch.ts'
import { memoryForget } from './memory-forget.ts'
import { memoryHistory } from './memory-history.ts'
import { memoryPin } from './memory-pin.ts'
import { memoryRelate } from './memory-relate.ts'
import { memoryRelated } from './memory-related.ts'
import { memoryRestore } from './memory-restore.ts'
import { memoryRollback } from './memory-rollback.ts'
import { memorySearch } from './memory-search.ts'
import { memoryStats } from './memory-stats.ts'
import { memorySummarize } from './memory-summarize.ts'
import { memoryTree } from './memory-tree.ts'
import { memoryUnpin } from './memory-unpin.ts'
import { memoryWrite } from './memory-write.ts'

/** In the order in which a client lists them: reads, then writes. */
export const TREE_TOOLS: readonly Tool[] = [
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
  memoryRestore,
  memoryPin,
  memoryUnpin,
]
