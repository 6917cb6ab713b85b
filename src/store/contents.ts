import type { ContentReads, DocumentContents } from '../core/port/contents.ts'
import type { DocumentPick } from '../core/port/documents.ts'
import type { LinksFitting, StoredLink } from '../core/port/links.ts'
import type { NodeSelect } from '../core/port/nodes.ts'
import { type DocumentNodeRow, isLive } from '../core/port/rows.ts'
import type { ReadTx } from '../core/port/store.ts'
import type { StoredDocument, StoredNodeFacts } from '../core/port/stored.ts'
import type { DocumentName } from '../core/port/write-set.ts'
import type { Sync } from './tx.ts'

/** `Sync` knows no type parameters: what the fields that are asked for here give. */
interface Reads {
  documents(select: DocumentPick, fields: 'stored'): StoredDocument[]
  nodes(select: NodeSelect, fields: 'stored'): StoredNodeFacts[]
  nodes(select: NodeSelect, fields: 'full'): DocumentNodeRow[]
  links(select: LinksFitting): StoredLink[]
}

/** What a change of documents builds on, put together from other reads: for engines where asking costs no wait. */
export function contentReads(
  reads: Pick<Sync<ReadTx>, keyof Reads>,
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
        const own = nodes({ document }, 'stored')
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
