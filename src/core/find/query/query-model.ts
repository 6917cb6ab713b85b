import type { DocumentKind, NodeType } from '../../model.ts'

/** One term of a query: a word, a phrase, or a prefix. */
export interface Unit {
  kind: 'word' | 'phrase' | 'prefix'
  /**
   * As indexed (`words.ts`), in order. In an unsegmented script each character is a word. The last word of a prefix is
   * the beginning of a word. A tag has one, with its `#`.
   */
  words: string[]
  /** As written in the query, for explanations. */
  shown: string
  /** Too common in its language to matter. */
  isStopWord: boolean
  /** Only excluded: it counts in the expression, but not in a rank or a snippet. */
  isExcluded: boolean
  /** For a phrase without quotes, such as `rate-limit`: its words, to search for if no node has the whole phrase. */
  parts?: Unit[]
}

/** How units combine; a number is an index into `Query.units`. */
export type Expression =
  | number
  | { and: Expression[] }
  | { or: Expression[] }
  /** The matches of `of` except those of `without`. */
  | { of: Expression; without: Expression }

export interface Filters {
  types?: NodeType[]
  kinds?: DocumentKind[]
  /** Paths: a folder, a file, a part of its name, or with `*` and `?` a pattern. Any of them. */
  paths?: string[]
  /** As indexed (`tagWord`): `#rate+limit`; all of them. */
  tags?: string[]
  /** Tags that a door gave the document, as given; all of them. */
  documentTags?: readonly string[]
  /** Milliseconds since 1970: changed at or after. */
  since?: number
  pinned?: boolean
  /** At least one of each list must pass. */
  any?: Filters[][]
  /** Nodes that pass one of these are excluded. */
  none?: Filters[]
  /** Excluded words of a query that has only filters; beside words, the expression excludes them. */
  without?: { units: Unit[]; expression: Expression }
}

export interface Query {
  /** As given. */
  text: string
  units: Unit[]
  /** Null: any of the units, the more the better. */
  expression: Expression | null
  filters: Filters
  /** Parts of the query that are not valid as written, and how they were read; for a person. */
  notes: string[]
}
