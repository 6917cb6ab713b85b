import type { Touch } from '../../core/port/doors.ts'
import type { Context } from './context.ts'
import { heatWrites } from './heat.ts'
import { limitOf, statement } from './statements.ts'

/** Nodes of one document that are warmed at most, from its beginning: a read must not cost what a large document holds. */
const MAX_NODES = 500

/** What is asked for through a door is counted, and its nodes get warmer. */
export function touchWrites(context: Context) {
  const { db } = context
  const heat = heatWrites(context)
  const count = statement<[{ id: number; times: number; at: number }]>(
    db,
    `UPDATE documents SET accesses = accesses + @times, accessed_at = max(coalesce(accessed_at, @at), @at)
     WHERE id = @id AND state = 'live'`,
  )
  const nodes = statement<[number, number], { key: number; id: string }>(
    db,
    `SELECT key, id FROM nodes WHERE document_id = ? AND removed_in IS NULL ORDER BY key ${limitOf()}`,
  )
  return {
    touchDocuments(touches: readonly Touch[], { at, by }: { at: number; by: number }): void {
      for (const { documentId, times } of touches) {
        count().run({ id: documentId, times, at })
        const warmed = nodes().all(documentId, MAX_NODES)
        heat.boost(
          warmed.map((node) => ({ ...node, by: by * times, times })),
          at,
        )
      }
    },
  }
}
