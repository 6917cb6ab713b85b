import type { DocumentKind, NodeType } from '../model.ts'
import type { Match } from '../port/search.ts'
import type { IndexRow } from './query/index-row.ts'
import type { Expression, Filters, Unit } from './query/query-model.ts'

/** Whether an expression holds; `has` tests the unit at an index. */
export function fits(expression: Expression, has: (unit: number) => boolean): boolean {
  if (typeof expression === 'number') return has(expression)
  if ('and' in expression) return expression.and.every((part) => fits(part, has))
  if ('or' in expression) return expression.or.some((part) => fits(part, has))
  return fits(expression.of, has) && !fits(expression.without, has)
}

export function matches(row: IndexRow, { units, expression, inLabel }: Match): boolean {
  return fits(expression, (at) => hasUnit(row, units[at], inLabel))
}

/** Whether a node has a word, a phrase or a prefix: all of it in its label, or all of it in its text. */
export function hasUnit({ label, body }: IndexRow, unit: Unit | undefined, inLabel = false): boolean {
  if (!unit) throw new Error('an expression names a unit that the query does not have')
  return hasPhrase(label, unit) || (!inLabel && hasPhrase(body, unit))
}

function hasPhrase(text: string, { kind, words }: Unit): boolean {
  if (words.length === 0) return false
  const all = text.split(' ')
  const last = words.length - 1
  const isAt = (start: number): boolean =>
    words.every((word, at) => {
      const found = all[start + at]
      return kind === 'prefix' && at === last ? found?.startsWith(word) : found === word
    })
  return all.some((_, start) => isAt(start))
}

/** A part of a path matches anywhere; with `*` or `?` it is a pattern for the whole path. */
export function isOnPath(name: string, path: string): boolean {
  const escaped = path.replace(/[\\^$.+()[\]{}|/]/g, '\\$&')
  const pattern = escaped.replaceAll('*', '.*').replaceAll('?', '.')
  return new RegExp(/[*?]/.test(path) ? `^${pattern}$` : pattern, 'isu').test(name)
}

/** The facts that filters test. */
export interface FilteredNode {
  type: NodeType
  /** The kind of its document, and the document's shown name. */
  kind: DocumentKind
  name: string
  words: IndexRow
  /** As indexed: tags of its text, of the front matter of its document, and of the document itself. */
  tags: readonly string[]
  /** The document's tags, as given. */
  documentTags: readonly string[]
  /** Milliseconds since 1970. */
  changedAt: number
  pinned: boolean
}

/** The meaning of filters, for one node. */
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
