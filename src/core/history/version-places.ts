import { shownName, toAddress } from '../address.ts'
import { labelOf } from '../label.ts'
import type { ReadTx, VersionRow, VersionState } from '../port/store.ts'
import { documentNames } from '../write/documents.ts'

/** The place of a node, for a reader who does not know its id. */
export interface VersionPlace {
  /** The document as the tree showed it then; '' if it is no longer known. */
  file: string
  /** As the tree shows it now, where that differs. */
  fileNow?: string
  /** The nearest heading above it; '' at the top of its document. */
  heading: string
}

export type PlacedVersion = VersionRow & VersionPlace

/** Adds the place of each row's node after the change, or before its removal. `at`: the snapshot whose paths count. Default: now. */
export async function placeVersions(
  tx: ReadTx,
  rows: readonly VersionRow[],
  at: (row: VersionRow) => number = () => Number.MAX_SAFE_INTEGER,
): Promise<PlacedVersion[]> {
  const nodes = await tx.nodes({ keys: rows.map(({ nodeKey }) => nodeKey), removed: true }, 'full')
  const documents = new Map(nodes.map(({ key, documentId }) => [key, documentId]))
  const sources = await documentNames(tx, documents.values())
  const formerNames = await createFormerNames(tx, [...sources.keys()])
  const headingOf = createHeadings(tx)
  const placed: PlacedVersion[] = []
  for (const row of rows) {
    const documentId = documents.get(row.nodeKey)
    const fileNow = sources.get(documentId ?? 0) ?? ''
    const file = formerNames(documentId ?? 0, at(row)) ?? fileNow
    placed.push({
      ...row,
      file,
      ...(file !== fileNow && { fileNow }),
      heading: await headingOf((row.new ?? row.old)?.parentId ?? null),
    })
  }
  return placed
}

/** What documents were called at a snapshot; undefined: as they are now. */
async function createFormerNames(
  tx: ReadTx,
  documentIds: number[],
): Promise<(documentId: number, at: number) => string | undefined> {
  const moves = await tx.documentMoves(documentIds)
  if (moves.length === 0) return () => undefined
  const kinds = new Map(
    (await tx.documents({ ids: documentIds }, 'row')).map((one) => [one.id, one.address.kind]),
  )
  return (documentId, at) => {
    const next = moves.find((move) => move.documentId === documentId && move.snapshotId > at)
    const kind = kinds.get(documentId)
    return next && kind && shownName(toAddress(kind, next.collection, next.name))
  }
}

function createHeadings(tx: ReadTx): (parentId: string | null) => Promise<string> {
  const states = new Map<string, VersionState | null>()
  async function stateOf(id: string): Promise<VersionState | null> {
    const known = states.get(id)
    if (known !== undefined) return known
    const [last] = await tx.versions({ nodeId: id }, { limit: 1 })
    const state = last?.new ?? last?.old ?? null
    states.set(id, state)
    return state
  }
  return async (parentId) => {
    // A damaged memory may have cycles.
    const seen = new Set<string>()
    for (let id = parentId; id !== null && !seen.has(id); ) {
      seen.add(id)
      const state = await stateOf(id)
      if (state?.type === 'heading') return labelOfState(state)
      id = state?.parentId ?? null
    }
    return ''
  }
}

export function labelOfState(state: VersionState): string {
  return state.label ?? labelOf(state)
}
