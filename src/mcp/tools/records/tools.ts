import type { Tool, ToolConfig } from '../../model/tool.ts'
import { deleteMemory } from './delete-memory.ts'
import { getMemoryStats } from './get-memory-stats.ts'
import { queryMemories } from './query-memories.ts'
import { storeMemory } from './store-memory.ts'
import { updateMemory } from './update-memory.ts'

/** Some of the limits that clients are shown are settings. */
export function recordTools(config: ToolConfig): readonly Tool[] {
  const limits = {
    maxContent: config['records.max_content'] ?? 5000,
    maxTags: config['records.max_tags'] ?? 10,
  }
  return [storeMemory(limits), queryMemories(limits), updateMemory(limits), deleteMemory, getMemoryStats]
}
