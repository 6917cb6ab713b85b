import type { DocumentContents } from '../../core/port/contents.ts'
import type { DocumentPick } from '../../core/port/documents.ts'
import type { NodeRow } from '../../core/port/rows.ts'
import type { StoredDocument } from '../../core/port/stored.ts'
import { by } from '../../util/order.ts'
import { documentReads } from './documents.ts'
import { fullNode, isLive, storedNode } from './nodes.ts'
import type { Tables } from './tables.ts'

export function contentReads(tables: Tables) {
  return {
    contents(select: DocumentPick, digests: readonly string[]): DocumentContents {
      const documents = documentReads(tables).documents(select, 'stored') as StoredDocument[]
      const ids = new Set(documents.map(({ id }) => id))
      const all = [...tables.nodes.values()]
      const own = all.filter(({ documentId }) => ids.has(documentId))
      const live = new Map(own.filter(isLive).map((node) => [node.key, node]))
      const isGuest = ({ parentKey, documentId }: (typeof all)[number]): boolean => {
        const parent = live.get(parentKey ?? 0)
        return parent !== undefined && parent.documentId !== documentId
      }
      const nodes = own.filter((node) => isLive(node) || tables.overlays.has(node.key))
      return {
        documents,
        nodes: nodes.map((node) => storedNode(tables, node)),
        guests: all.filter(isGuest).map((node) => storedNode(tables, node)),
        removed: [...ids].flatMap((id) => removedNodes(tables, id, new Set(digests))),
        links: [...tables.links.values()]
          .filter(({ sourceKey }) => live.has(sourceKey))
          .sort(by(({ place }) => [place])),
        names: [...tables.documentNames.values()].filter(({ documentId }) => ids.has(documentId)),
      }
    },
  }
}

/** As they were when they last had a text. */
function removedNodes(tables: Tables, documentId: number, digests: ReadonlySet<string>): NodeRow[] {
  const gone = [...tables.nodes.values()].filter(
    (node) => node.documentId === documentId && !isLive(node) && !tables.overlays.has(node.key),
  )
  return gone.sort(by(({ removedIn, key }) => [-(removedIn ?? 0), key])).flatMap((node) => {
    const last = tables.versions.get(node.key)?.findLast(({ state }) => state !== null)?.state
    if (!last || !digests.has(last.digest)) return []
    const { overlay: _, ...row } = fullNode(tables, node)
    return [{ ...row, ...last, label: row.label }]
  })
}
