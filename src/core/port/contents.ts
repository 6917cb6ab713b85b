import type { DocumentPick } from './documents.ts'
import type { StoredLink } from './links.ts'
import type { NodeRow } from './rows.ts'
import type { StoredDocument, StoredNodeFacts } from './stored.ts'
import type { DocumentName } from './write-set.ts'

/** All that a change of documents builds on. Lists are in no particular order, unless they say otherwise. */
export interface DocumentContents {
  documents: StoredDocument[]
  /** Their live nodes, and those that only an overlay keeps away. */
  nodes: StoredNodeFacts[]
  /** Live nodes of other documents, right below one of them. */
  guests: StoredNodeFacts[]
  /** Their removed nodes whose last text has one of the digests, as they were with it, latest removal first. */
  removed: NodeRow[]
  /** Of their live nodes. */
  links: StoredLink[]
  /** What links find them by. */
  names: DocumentName[]
}

export interface ContentReads {
  /** All that is stored of documents, in any state; `digests`: of texts that may come back. */
  contents(select: DocumentPick, digests: readonly string[]): Promise<DocumentContents>
}
