import type { Expression, Filters, Unit } from '../find/query-model.ts'
import type { NodeType } from '../model.ts'

/** What to look for in the index: units of a query and how they come together. */
export interface Match {
  units: Unit[]
  expression: Expression
  /** Only in labels. */
  inLabel?: boolean
}

/** What a score needs of a node, and what decides between equal ones. */
export interface NodeFacts {
  key: number
  type: NodeType
  tokens: number
  /** Its heat now. */
  temperature: number
  documentId: number
}

/** A node among its siblings. */
export interface Surrounding extends NodeFacts {
  parentKey: number | null
  /** Its parent and the parent of that, as far as there are. `lineage` has the rest. */
  above: { key: number; parentKey: number | null }[]
  /** Keys of the siblings before it and after it, nearest first. */
  before: number[]
  after: number[]
  /** Those of them that are headings. */
  headings: number[]
}

export interface LineageRow {
  key: number
  parentKey: number | null
  /** Among its siblings: compared by code unit. */
  position: string
  label: string
}

/** All that is shown of a node that was found. */
export interface FoundRow {
  key: number
  id: string
  parentKey: number | null
  type: NodeType
  label: string
  tokens: number
  source: string
  text: string
}

/** What search asks of an engine. Scores are not its business: it says which nodes have which words. */
export interface SearchReads {
  /** How many nodes there are. */
  countNodes(): Promise<number>
  /** How many nodes match; counting stops at `limit`. */
  countMatches(match: Match, limit: number): Promise<number>
  /** Keys of live nodes that match and pass the filters, newest first. Without a match: all that pass. */
  matchingKeys(match: Match | null, filters: Filters, limit: number): Promise<number[]>
  /** Those of `keys` that pass the filters, in no particular order. */
  passing(keys: number[], filters: Filters): Promise<number[]>
  /** Keys of at most `limit` nodes that are hotter than all others, hottest first; what is as hot as one that has no room is left out. */
  hottest(limit: number): Promise<number[]>
  /** In no particular order. */
  nodeFacts(keys: number[]): Promise<NodeFacts[]>
  /** Each of `keys` with at most `reach` siblings on either side, in no particular order. */
  surroundings(keys: number[], reach: number): Promise<Surrounding[]>
  /** In no particular order. */
  foundNodes(keys: number[]): Promise<FoundRow[]>
  /** `keys` and everything above them, each once, in no particular order. */
  lineage(keys: number[]): Promise<LineageRow[]>
}
