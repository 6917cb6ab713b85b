import type { LoggingMessageNotificationParams } from '@modelcontextprotocol/server'

/** A node that fell below the threshold of notices. */
export interface ColdNode {
  id: string
  label: string
  file: string
  temperature: number
}

/** What a session of the old era is told when nodes became cold. The shape is documented: clients act on it. */
export function coldNotice(nodes: readonly ColdNode[]): LoggingMessageNotificationParams {
  return {
    level: 'warning',
    logger: 'remindb.temperature',
    data: {
      message: 'Cold nodes detected; consider summarizing via MemorySummarize',
      suggested_action: 'MemorySummarize',
      nodes,
    },
  }
}
