import { listSnapshots, type Paged } from '../../core/history/history.ts'
import type { LogInput, LogRow } from '../../core/history/log.ts'
import { previewRollback, type RollbackInput, type RollbackPreview } from '../../core/history/rollback.ts'
import { snapshotLog } from '../../core/operations/queries.ts'
import type { CheckpointRow } from '../../core/port/history.ts'
import type { SnapshotRow, Store } from '../../core/port/store.ts'
import { findNamedPlaces, type NamingParts } from '../places/named-documents.ts'
import { showRoot } from '../places/places.ts'

export interface NamedLogInput extends Omit<LogInput, 'within'> {
  /** A document as in `findDocuments`, or a folder. */
  path?: string
  /** Where a path begins that is not absolute. */
  cwd?: string
}

/** Reads of the history as a whole. Roots are absolute in their answers. */
export function createHistoryCalls(parts: NamingParts & { store: Pick<Store, 'read' | 'query'> }) {
  const { store, places } = parts
  const withRoots = <R extends SnapshotRow>(rows: readonly R[]): R[] =>
    rows.map((row) => ({ ...row, root: showRoot(places, row.root) }))
  return {
    /** Newest first. */
    snapshots: async (page?: { limit?: number; before?: number }): Promise<SnapshotRow[]> =>
      withRoots(await listSnapshots(store, page)),
    /** The same by author, operation, path and time, with their names and how much each changed. */
    async log({ path, cwd, ...input }: NamedLogInput = {}): Promise<Paged<LogRow>> {
      const within = path === undefined ? {} : { within: await findNamedPlaces(parts, path, { cwd }) }
      const { items, next } = await store.query(snapshotLog, { ...input, ...within })
      return { items: withRoots(items), next }
    },
    /** Named snapshots, oldest first. */
    checkpoints: (): Promise<CheckpointRow[]> => store.read((tx) => tx.checkpoints()),
    /** The changes that `rollback` would make now; changes nothing. */
    previewRollback: (input: Pick<RollbackInput, 'snapshotId'>): Promise<RollbackPreview> =>
      previewRollback(store, input),
  }
}
