import type { Tool } from '../../model/tool.ts'
import { forget } from './forget.ts'
import { forgetAll } from './forget-all.ts'
import { listMemories } from './list-memories.ts'
import { listTags } from './list-tags.ts'
import { memoryHistory } from './memory-history.ts'
import { packContext } from './pack-context.ts'
import { ping } from './ping.ts'
import { recall } from './recall.ts'
import { redactMemory } from './redact-memory.ts'
import { relateMemories } from './relate-memories.ts'
import { remember } from './remember.ts'
import { rememberBlob } from './remember-blob.ts'
import { rememberIfAbsent } from './remember-if-absent.ts'
import { restoreMemory } from './restore-memory.ts'
import { searchMemories } from './search-memories.ts'
import { summarizeContext } from './summarize-context.ts'

/** In the order in which a client lists them. */
export const KEY_TOOLS: readonly Tool[] = [
  ping,
  remember,
  rememberIfAbsent,
  rememberBlob,
  recall,
  forget,
  forgetAll,
  redactMemory,
  memoryHistory,
  restoreMemory,
  listMemories,
  listTags,
  summarizeContext,
  searchMemories,
  relateMemories,
  packContext,
]
