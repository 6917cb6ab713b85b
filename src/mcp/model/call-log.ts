/** What the log says of every call of a tool; the logs of sessions are made of these. */
export const CALL_MESSAGES = {
  done: 'mcp call',
  failed: 'mcp call failed',
  cancelled: 'mcp call cancelled',
} as const
