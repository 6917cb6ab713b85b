import type { DocumentKind, NodeType } from '../../model.ts'

/** What one asks for as a whole: a word, a phrase, or what begins with a word. */
export interface Unit {
  kind: 'word' | 'phrase' | 'prefix'
  /**
   * As the index has them (`words.ts`), in order. One of an unsegmented script has a word a character. Of a prefix the last
   * is only the beginning of a word. A tag has one, with its `#`.
   */
  words: string[]
  /** As it was asked for, for explanations. */
  shown: string
  /** So common in its language that it tells nothing. */
  isStopWord: boolean
  /** Asked for only to be left out: it counts in the expression, and neither in a rank nor in a snippet. */
  isExcluded: boolean
  /** Of a phrase that nobody put in quotes, such as `rate-limit`: its words, to look for where it is nowhere as a whole. */
  parts?: Unit[]
}

/** How units must come together; a number is the place of a unit in `Query.units`. */
export type Expression =
  | number
  | { and: Expression[] }
  | { or: Expression[] }
  /** What `of` finds without what `without` finds. */
  | { of: Expression; without: Expression }

export interface Filters {
  types?: NodeType[]
  kinds?: DocumentKind[]
  /** Paths: a folder, a file, a part of its name, or with `*` and `?` a pattern. Any of them. */
  paths?: string[]
  /** As the index has them (`tagWord`): `#rate+limit`; all of them. */
  tags?: string[]
  /** Tags that a door gave the document, as they were given; all of them. */
  documentTags?: readonly string[]
  /** Milliseconds since 1970: changed at or after. */
  since?: number
  pinned?: boolean
  /** Of each list at least one must pass. */
  any?: Filters[][]
  /** What passes one of these is left out. */
  none?: Filters[]
  /** None of these, where nothing else is asked for but filters: beside words an expression says it. */
  without?: { units: Unit[]; expression: Expression }
}

export interface Query {
  /** As it was given. */
  text: string
  units: Unit[]
  /** Null: any of the units, the more the better. */
  expression: Expression | null
  filters: Filters
  /** What was asked for in a form that cannot be meant, and how it was taken; for a person to read. */
  notes: string[]
}
