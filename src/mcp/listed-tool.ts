import type { Tool } from './model/tool.ts'

/** Names that Claude Code reads: which tools its model sees at once, and words for its search of the others. */
const ALWAYS_LOAD = 'anthropic/alwaysLoad'
const SEARCH_HINT = 'anthropic/searchHint'

/** A tool as clients are shown it; with the schema of its data where that is sent. */
export function listedTool(tool: Tool, hasData: boolean) {
  const { name, title, description, annotations, input, output, hint, isMain } = tool
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: input.json as { type: 'object' },
    ...(hasData && { outputSchema: output as { type: 'object' } }),
    annotations,
    _meta: { ...(isMain && { [ALWAYS_LOAD]: true }), [SEARCH_HINT]: hint } as Record<string, unknown>,
  }
}
