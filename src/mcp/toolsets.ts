import { MemoryError } from '../core/errors.ts'
import { chooseToolsets } from './choose-toolsets.ts'
import { TOOLSETS, type Tool, type ToolConfig, type Toolset } from './model/tool.ts'
import { fileTools } from './tools/files/tools.ts'
import { KEY_TOOLS } from './tools/keys/tools.ts'
import { recordTools } from './tools/records/tools.ts'
import { TREE_TOOLS } from './tools/tree/tools.ts'

/** Its tools, or how to make them from settings. */
type ToolsetTools = readonly Tool[] | ((config: ToolConfig) => readonly Tool[])
type Toolsets = Partial<Record<Toolset, ToolsetTools>>

/** A toolset without an entry is not there yet: nobody can choose it. */
const TOOLS: Toolsets = {
  tree: TREE_TOOLS,
  records: recordTools,
  keys: KEY_TOOLS,
  files: fileTools,
}

/** The tools of these toolsets, each once, in one order whatever the order of the names. `all`: of every toolset. */
export function toolsOf(names: readonly string[], config: ToolConfig = {}, toolsets = TOOLS): Tool[] {
  const offered = TOOLSETS.filter((toolset) => toolsets[toolset] !== undefined)
  const tools = chooseToolsets(names, offered).flatMap((toolset) => made(toolsets[toolset] ?? [], config))
  checkNames(tools)
  return tools
}

function made(tools: ToolsetTools, config: ToolConfig): readonly Tool[] {
  return typeof tools === 'function' ? tools(config) : tools
}

/** Settings can give a tool any name, and a client could call only one of two. */
function checkNames(tools: readonly Tool[]): void {
  const names = new Set<string>()
  for (const { name, toolset } of tools) {
    if (names.has(name))
      throw new MemoryError('INVALID_INPUT', `two tools are called "${name}"; rename the one of ${toolset}`)
    names.add(name)
  }
}
