import { MemoryError } from '../../../core/errors.ts'
import { DEFAULT_MEMORY, type MemoryNodeConfig } from '../../../core/files/model.ts'
import { DEFAULT_TOOL, type FileToolSetting } from '../../../core/files/tool-config.ts'
import type { ToolConfig } from '../../model/tool.ts'

/** A tool as the settings have it, with the memory node that it names. */
export interface ConfiguredTool {
  tool: Omit<FileToolSetting, 'memory'>
  node: MemoryNodeConfig
}

/** Throws INVALID_INPUT for a tool on an unknown memory node. */
export function configuredTools(config: ToolConfig): ConfiguredTool[] {
  const memories = config['files.memories'] ?? [DEFAULT_MEMORY]
  const tools = config['files.tools'] ?? [DEFAULT_TOOL]
  return tools.map(({ memory = DEFAULT_MEMORY.id, ...tool }) => {
    const node = memories.find(({ id }) => id === memory)
    if (node) return { tool, node }
    throw new MemoryError(
      'INVALID_INPUT',
      `files.tools: "${tool.name ?? DEFAULT_TOOL.name}" works on the memory "${memory}", which files.memories does not have; ${remedy(memories)}`,
    )
  })
}

function remedy(memories: readonly MemoryNodeConfig[]): string {
  return `give it one of ${memories.map(({ id }) => `"${id}"`).join(', ')} as "memory", or add the missing one`
}
