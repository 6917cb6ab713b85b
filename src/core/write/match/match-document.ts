import type { NodeState } from '../../model.ts'
import type { DocumentNodeRow, ReadTx } from '../../port/store.ts'
import { compare } from '../../positions.ts'
import type { FlatBlock } from '../../rows/flatten.ts'
import { listUnmatchedOld, type MatchItem, matchExact, matchSimilar } from './match.ts'

/** A node of the document before the put. */
export interface OldNode {
  row: DocumentNodeRow
  /** The file's version of it; for a node that only the memory has, the memory's version. */
  base: Pick<NodeState, 'parentKey' | 'position' | 'type' | 'format' | 'digest'>
}

/**
 * For every fresh block the node it continues. Compared with the file's version, not with agents' edits. `known`: texts
 * by digest; the file's text under an agent's edit must be read.
 */
export async function matchDocument(
  tx: Pick<ReadTx, 'texts'>,
  rows: readonly DocumentNodeRow[],
  fresh: readonly FlatBlock[],
  known: ReadonlyMap<string, string>,
): Promise<(OldNode | undefined)[]> {
  if (rows.length === 0 || fresh.length === 0) return fresh.map(() => undefined)
  const old = inDocumentOrder(rows.map((row) => ({ row, base: row.overlay?.base ?? row })))
  const exact = matchExact(old.items, fresh)
  const unmatched = listUnmatchedOld(old.items, exact)
  const digests = unmatched.map((at) => (old.nodes[at] as OldNode).base.digest)
  const missing = digests.filter((digest) => !known.has(digest))
  const asked = missing.length > 0 ? await tx.texts(missing) : known
  const textOf = (digest: string): string | undefined => known.get(digest) ?? asked.get(digest)
  const pairs = matchSimilar(old.items, fresh, exact, textsByIndex(old.nodes, unmatched, textOf))
  return Array.from(pairs, (at) => (at >= 0 ? old.nodes[at] : undefined))
}

function textsByIndex(
  nodes: OldNode[],
  places: number[],
  textOf: (digest: string) => string | undefined,
): Map<number, string> {
  const found = new Map<number, string>()
  for (const place of places) {
    const text = textOf((nodes[place] as OldNode).base.digest)
    if (text !== undefined) found.set(place, text)
  }
  return found
}

/** Pre-order by the file's version. A node whose parent is not in this document counts as a root. */
function inDocumentOrder(nodes: OldNode[]): { nodes: OldNode[]; items: MatchItem[] } {
  const own = new Set(nodes.map(({ row }) => row.key))
  const children = Map.groupBy(nodes, ({ base }) =>
    base.parentKey !== null && own.has(base.parentKey) ? base.parentKey : null,
  )
  for (const siblings of children.values()) siblings.sort(byPosition)
  const ordered: OldNode[] = []
  const items: MatchItem[] = []
  const stack = stackOf(children.get(null), -1)
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, parent } = next
    const { type, digest } = node.base
    ordered.push(node)
    items.push({ parent, type, digest })
    for (const child of stackOf(children.get(node.row.key), ordered.length - 1)) stack.push(child)
  }
  return { nodes: ordered, items }
}

function stackOf(siblings: OldNode[] = [], parent: number): { node: OldNode; parent: number }[] {
  return siblings.map((node) => ({ node, parent })).reverse()
}

function byPosition(a: OldNode, b: OldNode): number {
  return compare(a.base.position, b.base.position) || a.row.key - b.row.key
}
