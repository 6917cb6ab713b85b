import { readToolConfig } from '../../../core/files/tool-config.ts'
import type { Tool, ToolConfig } from '../../model/tool.ts'
import { configuredTools } from './configured.ts'
import { memoryTool } from './memory.ts'

/** One tool for each that the settings have, on the memory node that it names. */
export function fileTools(config: ToolConfig): Tool[] {
  return configuredTools(config).map(({ tool, node }) => memoryTool(readToolConfig(tool), node))
}
