import type { Address } from '../model.ts'
import type { DocumentContents } from '../port/contents.ts'
import type { DocumentNaming } from '../port/links.ts'
import type { NodeRow } from '../port/rows.ts'
import type { WriteSet } from '../port/write-set.ts'

interface KnownDocument {
  path: string | null
  names: DocumentNaming['names']
}
type Root = Pick<NodeRow, 'key' | 'documentId' | 'position' | 'type'>

/**
 * Documents of which an operation has seen every root: new ones, and those whose contents it read. Their names and
 * first nodes follow from its changes, and need not be read.
 */
export function createKnownDocuments() {
  const known = new Map<number, KnownDocument>()
  const roots = new Map<number, Root>()
  /** Undefined after a change. */
  let byDocument: Map<number, Root[]> | undefined

  function noteNode({ key, documentId, parentKey, position, type, removedIn }: NodeRow): void {
    if (!known.has(documentId)) return
    byDocument = undefined
    if (parentKey === null && removedIn === null) roots.set(key, { key, documentId, position, type })
    else roots.delete(key)
  }
  return {
    noteContents({ documents, nodes, names }: DocumentContents): void {
      const namesOf = Map.groupBy(names, ({ documentId }) => documentId)
      for (const { id, address } of documents)
        known.set(id, { path: pathOf(address), names: namesOf.get(id) ?? [] })
      for (const node of nodes) noteNode(node)
    },
    noteSet(set: WriteSet): void {
      for (const { before, after } of set.documents ?? []) {
        const document = known.get(after.id)
        if (document) document.path = pathOf(after.address)
        else if (!before) known.set(after.id, { path: pathOf(after.address), names: [] })
      }
      for (const { after } of set.nodes ?? []) noteNode(after)
    },
    /** Undefined: it must be read. The text of front matter has aliases. */
    namingOf(documentId: number): DocumentNaming | undefined {
      byDocument ??= Map.groupBy(roots.values(), (root) => root.documentId)
      const own = byDocument.get(documentId) ?? []
      const document = known.get(documentId)
      if (!document || own.some(({ type }) => type === 'preamble')) return undefined
      const [first, ...others] = own
      const root = first ? others.reduce(firstOf, first).key : null
      return { documentId, ...document, root, front: [] }
    },
    /** The stored names have changed. */
    clear(): void {
      known.clear()
      roots.clear()
      byDocument = undefined
    },
  }
}

export type KnownDocuments = ReturnType<typeof createKnownDocuments>

function pathOf(address: Address): string | null {
  return 'path' in address ? address.path : null
}

function firstOf(a: Root, b: Root): Root {
  if (a.position !== b.position) return a.position < b.position ? a : b
  return a.key < b.key ? a : b
}
