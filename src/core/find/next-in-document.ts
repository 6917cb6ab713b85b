import type { ReadTx } from '../store.ts'
import type { OutlineRow } from '../store-outline.ts'

/** What follows a node at the top of its document; undefined for other nodes, and for the last one there. */
export async function nextInDocument(tx: ReadTx, row: OutlineRow): Promise<OutlineRow | undefined> {
  if (row.parentKey !== null) return undefined
  const [next] = await tx.outline(null, { limit: 1, after: row, inDocument: true })
  return next
}

export function nextLine(id: string): string {
  return `… next in this document: id=${id}`
}
