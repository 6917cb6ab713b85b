import type { IndexRow } from '../find/query/index-row.ts'
import type { NodeState } from '../model.ts'
import type {
  TransferDocument,
  TransferDocumentVersion,
  TransferNode,
  TransferSnapshot,
  TransferVersion,
} from './transfer-rows.ts'

/** A node with what follows from its newest version; null for a removed one. */
export interface ImportNode extends TransferNode {
  current: {
    state: Omit<NodeState, 'parentKey'>
    label: string
    tokens: number
    words: IndexRow
  } | null
}

/** What an import stores. A node comes after its versions: the newest one has its content. */
export type ImportItem =
  | { kind: 'snapshot'; row: TransferSnapshot }
  | { kind: 'document'; row: TransferDocument }
  | { kind: 'documentVersion'; row: TransferDocumentVersion }
  | { kind: 'version'; row: TransferVersion; digest: string | null }
  | { kind: 'node'; row: ImportNode }
