import type { DocumentPick } from './documents.ts'
import type { StoredLink } from './links.ts'
import type { NodeRow } from './rows.ts'
import type { StoredDocument, StoredNodeFacts } from './stored.ts'
import type { DocumentName } from './write-set.ts'

/** Everything that a change of documents depends on. Lists are unordered unless stated otherwise. */
export interface DocumentContents {
  documents: StoredDocument[]
  /** Their live nodes, and nodes that only an overlay hides. */
  nodes: StoredNodeFacts[]
  /** Live nodes of other documents directly below one of them. */
  guests: StoredNodeFacts[]
  /** Their removed nodes whose last text has one of the digests, as of that text, latest removal first. */
  removed: NodeRow[]
  /** Links of their live nodes. */
  links: StoredLink[]
  /** The names by which links find them. */
  names: DocumentName[]
}

export interface ContentReads {
  /** Everything stored about documents, in any state; `digests`: of texts that may return. */
  contents(select: DocumentPick, digests: readonly string[]): Promise<DocumentContents>
}
