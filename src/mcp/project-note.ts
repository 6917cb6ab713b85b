import { COMMAND_ACCESS, type FileCommand } from '../core/files/tool-config.ts'
import { TOOLSETS, type Tool, type Toolset } from './model/tool.ts'

/** What the lines are about, and what that does. */
const USES = { find: 'reads', save: 'writes' } as const
type Use = keyof typeof USES

/** The tools that find and save. Those on files have names of the settings, and do both. */
const MAIN_TOOLS: Record<Exclude<Toolset, 'files'>, Record<Use, string>> = {
  tree: { find: 'MemorySearch', save: 'MemoryWrite' },
  records: { find: 'query_memories', save: 'store_memory' },
  keys: { find: 'search_memories', save: 'remember' },
}

const MEMORY = 'your long-term memory (the MCP server remindb)'
/** Settings can make many tools on files. */
const MOST_NAMED = 3

/**
 * Lines for the AGENTS.md or CLAUDE.md of a project, by the tools that are offered. Every program gives these files to its model; not
 * every one passes on the server's instructions.
 */
export function projectNote(offered: readonly Tool[]): string[] {
  const toolset = TOOLSETS.find((one) => offered.some((tool) => tool.toolset === one))
  const tools = offered.filter((tool) => tool.toolset === toolset)
  const [find, save] = [namesOf(tools, 'find'), namesOf(tools, 'save')]
  const place = find ? 'there' : `in ${MEMORY}`
  return [
    ...(find ? [`Before you start work, search ${MEMORY} for what is known: ${find}.`] : []),
    ...(save ? [`Save ${place} what is worth knowing later, one fact at a time: ${save}.`] : []),
  ]
}

function namesOf(tools: readonly Tool[], use: Use): string {
  const names = tools.flatMap((tool) => nameFor(tool, use) ?? [])
  return names.slice(0, MOST_NAMED).join(', ')
}

/** As a line has it: with its commands where it has some. Undefined: it is not for this. */
function nameFor({ name, toolset, input }: Tool, use: Use): string | undefined {
  if (toolset !== 'files') return name === MAIN_TOOLS[toolset][use] ? name : undefined
  const { properties } = input.json as { properties: { command: { enum: readonly FileCommand[] } } }
  const commands = properties.command.enum.filter((command) => COMMAND_ACCESS[command] === USES[use])
  return commands.length > 0 ? `${name} (${commands.join(', ')})` : undefined
}
