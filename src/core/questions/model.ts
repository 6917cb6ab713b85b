import type { PlacedVersion } from '../history/version-places.ts'
import type { SnapshotRow } from '../port/rows.ts'

/** A search, and what must be among its first hits. At least one of the lists has an item. */
export interface QuestionInput {
  question: string
  /** Ids of nodes. */
  nodes?: readonly string[]
  /** Documents, as the tree shows them; one that ends with a slash is a folder. */
  paths?: readonly string[]
  /** Words or phrases that the text or label of a hit must contain. */
  words?: readonly string[]
  /** How many hits count. Default: those that an agent gets without a limit, at most 10 and no weak ones. */
  k?: number
  /** Its line in the file that it was read from. */
  line?: number
}

/** What a list expects. */
export type ExpectedKind = 'node' | 'path' | 'word'

/** One thing that must be among the hits. */
export interface Expected {
  kind: ExpectedKind
  value: string
}

/** A question that was checked. */
export interface Question {
  question: string
  expected: Expected[]
  k: number | undefined
  line: number | undefined
}

/** A hit with all that may satisfy a question. */
export interface AnswerHit {
  id: string
  type: string
  label: string
  path: string
  snippet: string
  text: string
}

export interface FoundItem extends Expected {
  /** The first hit that satisfies it, from 1. */
  place: number
}

export interface MissingItem extends Expected {
  /** Where it stands after the hits that count; null if it is not among the first 200 hits. */
  place: number | null
}

export interface CheckedQuestion {
  question: string
  line: number | undefined
  k: number | undefined
  found: FoundItem[]
  missing: MissingItem[]
  /** The first hits, best first. */
  hits: Omit<AnswerHit, 'text' | 'snippet'>[]
}

export interface CheckReport {
  /** The snapshot at which the questions were asked; 0 for an empty memory. */
  snapshot: number
  questions: CheckedQuestion[]
  /** How many items all questions expect, and how many of them were found. */
  expected: number
  found: number
  /** `found / expected`. */
  recall: number
  min: number
  passed: boolean
}

/**
 * Why an item is no longer found. `edited`, `removed`, `renamed`: what was found before changed. `outranked`: other nodes that
 * changed precede it. `unclear`: neither.
 */
export type CauseKind = 'edited' | 'removed' | 'renamed' | 'outranked' | 'unclear'

export interface Cause {
  kind: CauseKind
  /** What the snapshot changed that explains it. */
  changes: PlacedVersion[]
  /** Of a renamed document: its names before and after. */
  renamed?: { from: string; to: string }
  /** Of what was removed with its whole document: the name of that. */
  document?: string
}

export interface LostItem extends Expected {
  question: string
  line: number | undefined
  /** Where it stood before. */
  place: number | null
  cause: Cause
}

/** A snapshot at which items went from found to lost. */
export interface Break {
  snapshot: SnapshotRow
  /** The snapshot before it, at which they were found. */
  before: number
  lost: LostItem[]
  /** One of them had been found and lost before: there are other such snapshots. */
  repeated: boolean
}

/** Missing, and no snapshot lost it. */
export interface Unexplained extends Expected {
  question: string
  line: number | undefined
  /**
   * Where it was looked for: at every snapshot, at many of them, or only at the moment that was given. `head`: it is found at the newest
   * when all nodes are equally warm, so nothing lost it but heat.
   */
  tried: 'all' | 'many' | 'given' | 'head'
}

export interface BisectReport {
  /** The newest snapshot. */
  snapshot: number
  /** Nothing is missing now. */
  passed: boolean
  /** Newest first. */
  breaks: Break[]
  /** What is missing now, and was not lost by a snapshot. */
  unexplained: Unexplained[]
  /** How many searches it took. */
  searches: number
}
