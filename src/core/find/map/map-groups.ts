import { byCodePoint } from '../../../util/text/code-points.ts'
import { DOCUMENT_KINDS } from '../../model.ts'
import type { DocumentShapes } from '../../port/documents.ts'
import type { ReadTx } from '../../port/store.ts'
import type { MapGroup } from './map-model.ts'

/** How many roots of a document to read to find the one that represents it. */
const FIRST_ROOTS = 4

/** A group before its representative node is known. */
interface Group extends Omit<MapGroup, 'nodeId'> {
  /** Its first document. */
  documentId: number
}

export interface MapGroups {
  /** The largest ones. */
  groups: MapGroup[]
  /** How many there are, and their total size. */
  total: { groups: number; documents: number; nodes: number; tokens: number }
}

/** A document by its name on the map: documents of other doors are in a folder like `key:/`. */
type Named = Pick<DocumentShapes['size'], 'id' | 'name' | 'nodes' | 'tokens'>

/** Every document with nodes. */
export async function namedSizes(tx: ReadTx): Promise<Named[]> {
  const sizes = await Promise.all(DOCUMENT_KINDS.map((kind) => tx.documents({ kind }, 'size')))
  const held = sizes.flat().filter(({ nodes }) => nodes > 0)
  return held.map(({ id, address: { kind }, name, nodes, tokens }) => ({
    ...{ id, nodes, tokens },
    name: kind === 'source' ? name : `${kind}:/${name}`,
  }))
}

/** The folder that contains every document, '' if there is none. */
export function commonFolder(documents: readonly Named[]): string {
  let shared = documents[0]?.name
  for (const { name } of documents) {
    let at = 0
    while (shared && at < shared.length && shared[at] === name[at]) at++
    shared = shared?.slice(0, at)
  }
  return shared?.slice(0, shared.lastIndexOf('/') + 1) ?? ''
}

/** The entries directly below a folder, by size, at most `limit`. */
export async function mapGroups(
  tx: ReadTx,
  documents: readonly Named[],
  { folder, limit }: { folder: string; limit: number },
): Promise<MapGroups> {
  const groups = groupsBelow(documents, folder)
  const total = { groups: groups.length, documents: 0, nodes: 0, tokens: 0 }
  for (const group of groups) {
    total.documents += group.documents
    total.nodes += group.nodes
    total.tokens += group.tokens
  }
  const largest = groups.sort((a, b) => b.tokens - a.tokens || byCodePoint(a.name, b.name)).slice(0, limit)
  return { groups: await Promise.all(largest.map((group) => withNode(tx, group))), total }
}

function groupsBelow(documents: readonly Named[], folder: string): Group[] {
  const groups = new Map<string, Group>()
  for (const { name, id: documentId, nodes, tokens } of documents) {
    if (!name.startsWith(folder)) continue
    const slash = name.indexOf('/', folder.length)
    const shown = slash < 0 ? name : name.slice(0, slash + 1)
    const known = groups.get(shown) ?? { name: shown, documents: 0, nodes: 0, tokens: 0, documentId }
    known.documents++
    known.nodes += nodes
    known.tokens += tokens
    known.documentId = Math.min(known.documentId, documentId)
    groups.set(shown, known)
  }
  return [...groups.values()]
}

/** A document is represented by its first node; by its front matter only if there is nothing else. */
async function withNode(tx: ReadTx, { documentId, ...group }: Group): Promise<MapGroup> {
  if (group.name.endsWith('/')) return { ...group, nodeId: null }
  const roots = await tx.outline([{ parentKey: null, documentId }], { fields: 'brief', limit: FIRST_ROOTS })
  const first = roots.find(({ type }) => type !== 'preamble') ?? roots[0]
  return { ...group, nodeId: first?.id ?? null }
}
