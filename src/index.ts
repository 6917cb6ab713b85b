/** The library: the same engine as the program, for your own code. `docs/reference/library.md` shows how to use it. */

export type { Space } from './core/accounts/model.ts'
export type { DoctorReport } from './core/doctor/doctor.ts'
export { ERROR_CODES, type ErrorCode, isMemoryError, MemoryError } from './core/errors.ts'
export type { Envelope } from './core/files/command.ts'
export { type Connector, createConnector, type RenderOptions } from './core/files/connector.ts'
export type { ConnectorConfig } from './core/files/connector-config.ts'
export type { FileService, MemoryNode } from './core/files/door.ts'
export { FILE_CODES, type FileCode, FileError } from './core/files/errors.ts'
export type { MemoryGraph } from './core/files/graph.ts'
export { createMemoryTool, type MemoryTool } from './core/files/memory-tool.ts'
export type { MemoryNodeConfig } from './core/files/model.ts'
export { type WiredAgent, type WiredGraph, wireMemoryTools } from './core/files/wire.ts'
export type { FirstLook, FirstLookInput } from './core/find/map/first-look.ts'
export type { MapEntry, MemoryMap } from './core/find/map/map-model.ts'
export { batchText } from './core/find/read/fetch-batch-text.ts'
export type {
  FetchAnswer,
  FetchBatchAnswer,
  FetchBatchInput,
  FetchedNode,
  FetchInput,
} from './core/find/read/fetch-model.ts'
export { fetchText } from './core/find/read/fetch-text.ts'
export type { RelatedAnswer, RelatedInput, RelatedNode, RelatedStep } from './core/find/read/related-model.ts'
export { relatedText } from './core/find/read/related-text.ts'
export type { TreeAnswer, TreeInput, TreeNode } from './core/find/read/tree-model.ts'
export { treeText } from './core/find/read/tree-text.ts'
export type { Explanation, SearchAnswer, Searched, SearchHit, SearchInput } from './core/find/search-model.ts'
export { searchText } from './core/find/search-text.ts'
export type { TickResult } from './core/heat/tick.ts'
export type { BlamedNode, BlameInput } from './core/history/blame.ts'
export type { LogRow } from './core/history/log.ts'
export type { PruneProgress, PruneResult } from './core/history/prune.ts'
export type { RestoreInput } from './core/history/restore.ts'
export type { RevertInput } from './core/history/revert.ts'
export type { RollbackPreview, RollbackResult } from './core/history/rollback.ts'
export type { UndoConflict, UndoPreview, UndoResult } from './core/history/undo.ts'
export type { PlacedVersion, VersionPlace } from './core/history/version-places.ts'
export type { KeyDoor } from './core/keys/door.ts'
export type { KeyContent } from './core/keys/recall.ts'
export type { RememberInput } from './core/keys/remember.ts'
export type { Address, Block, DocumentKind, Format, NodeType } from './core/model.ts'
export type { FilesEnvelope } from './core/observe/files.ts'
export type { ForestEnvelope, ForestNode } from './core/observe/forest.ts'
export type { OverviewEnvelope } from './core/observe/overview.ts'
export type { HistoryCost } from './core/port/history.ts'
export type { SnapshotRow, VersionRow } from './core/port/store.ts'
export type { BisectOptions, BisectProgress } from './core/questions/bisect.ts'
export type { CheckOptions } from './core/questions/check.ts'
export type { BisectReport, CheckReport, QuestionInput } from './core/questions/model.ts'
export { parseQuestions } from './core/questions/parse-questions.ts'
export type { RecordDoor } from './core/records/door.ts'
export type { RecordJson } from './core/records/model.ts'
export type { QueryRecordsInput, RecordPage } from './core/records/query.ts'
export type { StoreRecordInput } from './core/records/store.ts'
export { firstLookText } from './core/render/first-look-text.ts'
export type { ColdRow } from './core/rows/heat.ts'
export type { ExportResult } from './core/transfer/export.ts'
export type { ImportResult } from './core/transfer/import.ts'
export type { WriteInput, WriteResult } from './core/tree/write.ts'
export { type BackupSpacesInput, backupSpaces, type SpacesBackup } from './runtime/backup/backup-spaces.ts'
export {
  type RestoredMemory,
  type RestoreMemoryInput,
  restoreMemory,
} from './runtime/backup/restore-memory.ts'
export {
  type RestoredSpaces,
  type RestoreSpacesInput,
  restoreSpaces,
} from './runtime/backup/restore-spaces.ts'
export type { CompileOptions, CompileResult } from './runtime/compile/compile-path.ts'
export {
  type CloseOptions,
  type Memory,
  type OpenOptions,
  openMemory,
  type TransferOptions,
} from './runtime/memory/open-memory.ts'
export type { NamedDocument } from './runtime/places/named-documents.ts'
export type { NewSpace } from './runtime/spaces/create-space.ts'
export {
  type OpenSpaceOptions,
  type OpenSpacesOptions,
  openSpaces,
  type Spaces,
} from './runtime/spaces/open-spaces.ts'
export type { SpaceStats } from './runtime/spaces/space-stats.ts'
export type { Ticker, TickerHandlers } from './runtime/upkeep/ticker.ts'
