import type { ReadTx } from '../port/store.ts'

/** The id of what follows a node at the top of its document; undefined for other nodes, and for the last one there. */
export async function nextInDocument(
  tx: ReadTx,
  { key, parentKey }: { key: number; parentKey: number | null },
): Promise<string | undefined> {
  return parentKey === null ? tx.nextRoot(key) : undefined
}

export function nextLine(id: string): string {
  return `… next in this document: id=${id}`
}
