export const MCP_PATH = '/mcp'

/** Where the endpoint of a space is. What a URL calls a space may be anything: it is written as URLs have it. */
export function endpointPath(space: string | undefined): string {
  return space === undefined ? MCP_PATH : `/s/${encodeURIComponent(space)}${MCP_PATH}`
}
