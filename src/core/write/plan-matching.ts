import { isLive } from '../port/rows.ts'
import type { DocumentNodeRow, NodeRow, ReadTx } from '../port/store.ts'
import type { StoredNodeFacts } from '../port/stored.ts'
import type { DocumentToPlan } from './document-to-plan.ts'
import { matchDocument, type OldNode } from './match/match-document.ts'

export type MatchTx = Pick<ReadTx, 'texts' | 'nodes' | 'versions'>

/** The old node of every fresh block, or undefined. */
export type Matched = (OldNode | undefined)[]

/** A document's nodes, and which block continues which. */
export interface Matching {
  /** Nodes of the document, by key. */
  rows: Map<number, DocumentNodeRow>
  texts: ReadonlyMap<string, string>
  matched: Matched
  revived: ReadonlyMap<number, NodeRow>
  /** By index: the node of a block, live or removed. */
  known: (NodeRow | undefined)[]
}

export const NOTHING_OLD: Matching = {
  ...{ rows: new Map(), texts: new Map(), matched: [], revived: new Map(), known: [] },
}

export async function matchOld(
  tx: MatchTx,
  input: DocumentToPlan,
  old: { nodes: StoredNodeFacts[]; removed: NodeRow[] },
): Promise<Matching> {
  const all = old.nodes
  const texts = new Map(all.filter(isLive).map(({ digest, text }) => [digest, text ?? '']))
  const matched = await matchDocument(tx, all, input.flat, texts)
  matchFirstRoot(input, all, matched)
  const revived = await reviveRemoved(tx, input, matched, old.removed)
  const known = input.flat.map((_, place) => matched[place]?.row ?? revived.get(place))
  return { rows: new Map(all.map((row) => [row.key, row])), texts, matched, revived, known }
}

/** A document whose first root has a given id keeps that node, whatever its text. */
function matchFirstRoot({ firstRootId }: DocumentToPlan, rows: DocumentNodeRow[], matched: Matched): void {
  const row = rows.find(({ id }) => id === firstRootId)
  if (row && !matched[0] && !matched.some((old) => old?.row === row)) matched[0] = { row, base: row }
}

/** A text that returns to its document is the same node as before: its history continues. */
async function reviveRemoved(
  tx: MatchTx,
  input: DocumentToPlan,
  matched: Matched,
  removed: readonly NodeRow[],
): Promise<Map<number, NodeRow>> {
  const revived = new Map<number, NodeRow>()
  const first = matched[0] ? undefined : await findFirstRoot(tx, input)
  if (first) revived.set(0, first)
  if (removed.length === 0) return revived
  const left = Map.groupBy(
    removed.filter((row) => row.key !== first?.key).reverse(),
    (row) => `${row.type} ${row.digest}`,
  )
  for (const [place, block] of input.flat.entries()) {
    if (matched[place] || revived.has(place)) continue
    const row = left.get(`${block.type} ${block.digest}`)?.pop()
    if (row) revived.set(place, row)
  }
  return revived
}

async function findFirstRoot(
  tx: MatchTx,
  { documentId, firstRootId }: DocumentToPlan,
): Promise<NodeRow | undefined> {
  if (firstRootId === undefined) return undefined
  const [version] = await tx.versions({ nodeId: firstRootId }, { limit: 1 })
  if (!version) return undefined
  const [row] = await tx.nodes({ keys: [version.nodeKey], removed: true }, 'full')
  return row?.documentId === documentId && !isLive(row) ? row : undefined
}
