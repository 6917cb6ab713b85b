import type { CompileResult } from '../../core/compile/compile.ts'
import type { CompileProgress } from '../../core/compile/compile-progress.ts'
import type { FilesHolder } from '../../core/files/door.ts'
import type { FirstLook, FirstLookInput } from '../../core/find/map/first-look.ts'
import type {
  FetchAnswer,
  FetchBatchAnswer,
  FetchBatchInput,
  FetchInput,
} from '../../core/find/read/fetch-model.ts'
import type { RelatedAnswer, RelatedInput } from '../../core/find/read/related-model.ts'
import type { TreeAnswer, TreeInput } from '../../core/find/read/tree-model.ts'
import type { SearchAnswer, SearchInput } from '../../core/find/search-model.ts'
import type { Checkpoint, CheckpointInput } from '../../core/history/checkpoint.ts'
import type { Paged } from '../../core/history/history.ts'
import type { RevertInput } from '../../core/history/revert.ts'
import type { RollbackInput, RollbackResult } from '../../core/history/rollback.ts'
import type { UndoResult } from '../../core/history/undo.ts'
import type { PlacedVersion } from '../../core/history/version-places.ts'
import type { KeyDoor } from '../../core/keys/door.ts'
import type { OverviewEnvelope } from '../../core/observe/overview.ts'
import type { MomentInput } from '../../core/port/history.ts'
import type { VersionRow } from '../../core/port/store.ts'
import type { RecordDoor } from '../../core/records/door.ts'
import type { ColdRow } from '../../core/rows/heat.ts'
import type { ForgetMode, ForgetResult } from '../../core/tree/forget.ts'
import type { RelateInput, RelateResult } from '../../core/tree/relate.ts'
import type { SummarizeInput, SummarizeResult } from '../../core/tree/summarize.ts'
import type { WriteInput, WriteResult } from '../../core/tree/write.ts'

/** A memory as one client uses it: reads that warm, and writes that it signs. */
export interface AgentMemory {
  tree(input: TreeInput): Promise<TreeAnswer>
  firstLook(input: FirstLookInput): Promise<FirstLook>
  search(input: SearchInput): Promise<SearchAnswer>
  fetch(input: FetchInput): Promise<FetchAnswer>
  fetchBatch(input: FetchBatchInput): Promise<FetchBatchAnswer>
  related(input: RelatedInput): Promise<RelatedAnswer>
  delta(input: { since: number; limit?: number; after?: string }): Promise<Paged<VersionRow>>
  diff(input: { from: number; to: number; limit?: number; after?: string }): Promise<Paged<PlacedVersion>>
  history(input: { id: string; limit?: number; after?: string }): Promise<Paged<PlacedVersion>>
  stats(): Promise<Stats>
  /** Long nodes that have not been read for a month, coldest first. */
  worthShortening(page: { limit: number }): Promise<ColdRow[]>
  write(input: WriteInput): Promise<WriteResult>
  summarize(input: SummarizeInput): Promise<SummarizeResult>
  /** Only files inside a source root, by real path. A compile that takes too long continues in the background. */
  compile(
    path: string,
    options: { message?: string; signal?: AbortSignal },
  ): Promise<Compiled | StillCompiling>
  relate(input: RelateInput): Promise<RelateResult>
  forget(input: { id: string; mode?: ForgetMode }): Promise<ForgetResult>
  rollback(input: RollbackInput): Promise<RollbackResult>
  /** `id`: of a node, or a document as commands and the tree name it. */
  restore(input: { id: string; snapshot: MomentInput; force?: boolean }): Promise<UndoResult>
  revert(input: RevertInput): Promise<UndoResult>
  checkpoint(input: CheckpointInput): Promise<Checkpoint>
  pin(input: { id: string; temperature?: number }): Promise<void>
  unpin(id: string): Promise<void>
  files: FilesHolder
  keys: KeyDoor
  records: RecordDoor
}

export interface Stats {
  overview: OverviewEnvelope
  thresholds: { hot: number; cold: number }
}

/** A running compile and its progress. */
export interface StillCompiling {
  compiling: CompileProgress
}

export interface Compiled extends CompileResult {
  /** The folder that paths in it are relative to. */
  root: string
  overlays: number
}
