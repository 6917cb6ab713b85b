import type { ContentReads, DocumentContents } from '../core/port/contents.ts'
import type { DocumentPick } from '../core/port/documents.ts'
import type { LinksFitting, StoredLink } from '../core/port/links.ts'
import { type DocumentNodeRow, isLive } from '../core/port/rows.ts'
import type { ReadTx } from '../core/port/store.ts'
import type { StoredDocument, StoredNodeFacts } from '../core/port/stored.ts'
import type { DocumentName } from '../core/port/write-set.ts'
import type { Sync } from './tx.ts'

/** Which nodes only `contents` asks for. */
export type ContentSelect =
  /** All of a document, and those that only an overlay keeps away, in no particular order. */
  | { contentOf: number }
  /** Removed nodes of a document as they were when they last had a text, the latest removal first. Not those that an overlay keeps away. */
  | { removedFrom: number }
  /** Nodes of other documents, right below one of a document's. */
  | { guestsOf: number }

/** `Sync` knows no type parameters: what the fields requested here give. */
interface Reads {
  documents(select: DocumentPick, fields: 'stored'): StoredDocument[]
  nodes(select: ContentSelect, fields: 'stored'): StoredNodeFacts[]
  nodes(select: ContentSelect, fields: 'full'): DocumentNodeRow[]
  links(select: LinksFitting): StoredLink[]
}

/** What a change of documents builds on, combined from other reads: for engines without round trips. */
export function contentReads(
  reads: Pick<Sync<ReadTx>, 'documents' | 'links'> & {
    nodes(select: ContentSelect, fields: 'stored' | 'full'): unknown[]
  },
  namesOf: (documentId: number) => DocumentName[],
): Sync<ContentReads> {
  const { documents, nodes, links } = reads as Reads
  return {
    contents(select, digests): DocumentContents {
      const wanted = new Set(digests)
      const found: DocumentContents = {
        ...{ documents: documents(select, 'stored'), nodes: [], guests: [] },
        ...{ removed: [], links: [], names: [] },
      }
      for (const { id: document, address } of found.documents) {
        const own = nodes({ contentOf: document }, 'stored')
        const live = own.filter(isLive).map(({ key }) => key)
        for (const node of own) found.nodes.push(node)
        for (const node of nodes({ guestsOf: document }, 'stored')) found.guests.push(node)
        if (wanted.size > 0)
          for (const row of nodes({ removedFrom: document }, 'full'))
            if (wanted.has(row.digest)) found.removed.push(row)
        if (live.length > 0) for (const link of links({ of: live })) found.links.push(link)
        if ('path' in address) for (const name of namesOf(document)) found.names.push(name)
      }
      return found
    },
  }
}
