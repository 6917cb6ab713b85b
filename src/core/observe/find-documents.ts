import type { DoorAddress } from '../doors/put-text.ts'
import { isFolder } from '../files/document.ts'
import type { Address } from '../model.ts'
import type { DocumentState } from '../port/rows.ts'
import type { DocumentRow, ReadTx, Store } from '../port/store.ts'
import { documentAt } from '../write/documents.ts'

/** A document that a caller named. */
export interface FoundDocument {
  address: Address
  state: DocumentState
  /** Live ones. */
  nodes: number
  /** The node by which it was named, if any. */
  nodeId: string | null
  /** A folder of the files door: it has no text. */
  isFolder: boolean
  /** A redacted key whose tombstone still has tags. */
  hasTags: boolean
}

/** Documents at these addresses, now or in the past, and the documents of nodes: each once. */
export function findDocuments(
  store: Pick<Store, 'read'>,
  { addresses, nodeId }: { addresses: readonly Address[]; nodeId: string },
): Promise<FoundDocument[]> {
  return store.read(
    async (tx) => {
      const found = new Map<number, { row: DocumentRow; nodeId: string | null }>()
      for (const address of addresses) {
        const row = await documentAt(tx, address, 'row')
        if (row) found.set(row.id, { row, nodeId: null })
      }
      const [node] = await tx.nodes({ ids: [nodeId], removed: true }, 'full')
      const [row] = node ? await tx.documents({ ids: [node.documentId], own: true }, 'row') : []
      if (row && !found.has(row.id)) found.set(row.id, { row, nodeId })
      const documents: FoundDocument[] = []
      for (const one of found.values()) documents.push(await describe(tx, one.row, one.nodeId))
      return documents
    },
    { includeExpired: true },
  )
}

function isDoor(address: Address): address is DoorAddress {
  return address.kind === 'file' || address.kind === 'key' || address.kind === 'record'
}

async function describe(
  tx: ReadTx,
  { id, address, state }: DocumentRow,
  nodeId: string | null,
): Promise<FoundDocument> {
  const nodes = (await tx.nodes({ document: id }, 'id')).length
  const head = isDoor(address) ? await documentAt(tx, address, 'head') : undefined
  return {
    ...{ address, state, nodes, nodeId },
    isFolder: address.kind === 'file' && head !== undefined && isFolder(head),
    hasTags: (head?.attributes.tags ?? []).length > 0,
  }
}
