import { chooseToolsets } from './tools/choose-toolsets.ts'
import type { Access, Toolset } from './tools/tool.ts'

/** The tools that find and save; one with commands is named with them. */
const MAIN_TOOLS: Record<Toolset, { find: string; save: string }> = {
  tree: { find: 'MemorySearch', save: 'MemoryWrite' },
  records: { find: 'query_memories', save: 'store_memory' },
  keys: { find: 'search_memories', save: 'remember' },
  files: { find: 'memory (list, read)', save: 'memory (append, update)' },
}

/**
 * Lines for the AGENTS.md or CLAUDE.md of a project. Every program gives these files to its model; not every one passes on the
 * server's instructions.
 */
export function projectNote(toolsets: readonly string[], allowed: Access): string[] {
  const [toolset = 'tree'] = chooseToolsets(toolsets)
  const { find, save } = MAIN_TOOLS[toolset]
  return [
    `Before you start work, search your long-term memory (the MCP server remindb) for what is known: ${find}.`,
    ...(allowed === 'reads' ? [] : [`Save there what is worth knowing later, one fact at a time: ${save}.`]),
  ]
}
