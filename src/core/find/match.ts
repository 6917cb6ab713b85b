import type { DocumentKind, NodeType } from '../model.ts'
import type { Match } from '../port/search.ts'
import type { IndexRow } from './query/index-row.ts'
import type { Expression, Filters, Unit } from './query/query-model.ts'

/** Whether what is asked for comes together; `has`: whether the unit at a place is there. */
export function fits(expression: Expression, has: (unit: number) => boolean): boolean {
  if (typeof expression === 'number') return has(expression)
  if ('and' in expression) return expression.and.every((part) => fits(part, has))
  if ('or' in expression) return expression.or.some((part) => fits(part, has))
  return fits(expression.of, has) && !fits(expression.without, has)
}

export function matches(row: IndexRow, { units, expression, inLabel }: Match): boolean {
  return fits(expression, (at) => hasUnit(row, units[at], inLabel))
}

/** Whether a node has a word, a phrase or what begins so: all of it in its label, or all of it in its text. */
export function hasUnit({ label, body }: IndexRow, unit: Unit | undefined, inLabel = false): boolean {
  if (!unit) throw new Error('an expression names a unit that the query has not')
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

/** A part of a path finds what has it anywhere; with `*` or `?` it is the whole path. */
export function isOnPath(name: string, path: string): boolean {
  const escaped = path.replace(/[\\^$.+()[\]{}|/]/g, '\\$&')
  const pattern = escaped.replaceAll('*', '.*').replaceAll('?', '.')
  return new RegExp(/[*?]/.test(path) ? `^${pattern}$` : pattern, 'isu').test(name)
}

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
