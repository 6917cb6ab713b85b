/** The log entry of a tool call; the logs of sessions consist of these. */
export const CALL_MESSAGES = {
  done: 'mcp call',
  failed: 'mcp call failed',
  cancelled: 'mcp call cancelled',
} as const
