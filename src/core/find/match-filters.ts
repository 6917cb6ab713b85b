import type { DocumentKind, NodeType } from '../model.ts'
import { isOnPath, matches } from './match-words.ts'
import type { IndexRow } from './query/index-row.ts'
import type { Filters } from './query/query-model.ts'

/** What filters ask of a node. */
export interface FilteredNode {
  type: NodeType
  /** Of its document, and what that is shown as. */
  kind: DocumentKind
  name: string
  words: IndexRow
  /** As the index has them: of its text, of the front matter of its document, and those that the document was stored with. */
  tags: readonly string[]
  /** Those that the document was stored with, as they were given. */
  documentTags: readonly string[]
  /** Milliseconds since 1970. */
  changedAt: number
  pinned: boolean
}

/** What filters mean, as a function of one node. */
export function passes(node: FilteredNode, filters: Filters): boolean {
  const { types, kinds, paths, tags = [], documentTags = [], since = 0, pinned, without } = filters
  const { any = [], none = [] } = filters
  return (
    (!types || types.includes(node.type)) &&
    (!kinds || kinds.includes(node.kind)) &&
    (!paths || paths.some((path) => isOnPath(node.name, path))) &&
    tags.every((tag) => node.tags.includes(tag)) &&
    documentTags.every((tag) => node.documentTags.includes(tag)) &&
    node.changedAt >= since &&
    (pinned === undefined || node.pinned === pinned) &&
    !(without && matches(node.words, without)) &&
    any.every((some) => some.some((one) => passes(node, one))) &&
    !none.some((one) => passes(node, one))
  )
}
