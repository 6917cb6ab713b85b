import type { SnapshotRow } from './rows.ts'

/** What a memory is as a whole: one row of facts, in one question. */
export interface SpaceState {
  /** The newest snapshot; undefined before the first. */
  head: SnapshotRow | undefined
  /** Of the snapshot that is made next: never that of an earlier one. */
  nextSnapshotId: number
  /** The folder that stored roots are relative to, as a compile at home last saw it. */
  home: string | null
  heat: HeatClock
  /** How many removals of text are committed and not overwritten on disk yet. */
  pendingScrubs: number
  /** Another text after every write, whoever made it: as long as it is the same, so is everything that is read. */
  version: string
}

export interface HeatClock {
  clock: number
  tickedAt: number
  frozen: boolean
  coldBelow: number
}

/** Snapshots between two others, neither of them included. */
export interface SnapshotPage {
  after?: number
  before?: number
  limit: number
}

export interface HistoryReads {
  state(): Promise<SpaceState>
  /** Newest first. */
  snapshots(page: SnapshotPage): Promise<SnapshotRow[]>
}
