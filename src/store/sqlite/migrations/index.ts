import type { Database } from 'better-sqlite3'
import { memory } from './0001-memory.ts'
import { linksFilesHeat } from './0002-links-files-heat.ts'
import { words } from './0003-words.ts'
import { leaseDetail } from './0004-lease-detail.ts'
import { indexRows } from './0005-index-rows.ts'
import { doors } from './0006-doors.ts'
import { doorCounts } from './0007-door-counts.ts'
import { documentNames } from './0008-document-names.ts'
import { nestedTags } from './0009-nested-tags.ts'

/** One step from one schema to the next: SQL, or a function where SQL cannot say it. */
export type Migration = string | ((db: Database) => void)

/** In order; the number of a migration is its place here. Forward only: a released one is never edited. */
export const migrations: readonly Migration[] = [
  memory,
  linksFilesHeat,
  words,
  leaseDetail,
  indexRows,
  doors,
  doorCounts,
  documentNames,
  nestedTags,
]
