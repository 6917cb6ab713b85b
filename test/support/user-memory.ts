import type { UserLimits } from '../../src/core/access/limits.ts'
import { readMemoryConfig } from '../../src/core/files/model.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'

/** The memory of a user who has limits, or none. */
export function memoryOf(memory: Memory, userId: string, limits?: UserLimits) {
  const caller = { userId, principalId: `key of ${userId}`, address: '::1', ...(limits && { limits }) }
  const own = memory.by(userId, { caller })
  const files = own.memoryNode(readMemoryConfig({ id: 'memory' }, 'node')).getMemoryService({ threadId: 't' })
  return { ...own, files }
}

export type UserMemory = ReturnType<typeof memoryOf>
