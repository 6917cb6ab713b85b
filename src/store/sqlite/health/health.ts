import type { Database } from 'better-sqlite3'
import { type Finding, fail, pass, RESTORE } from '../../../core/doctor/check.ts'
import { isMemoryError } from '../../../core/errors.ts'
import { type EngineChecks, INDEX_CHECK } from '../../../core/port/store.ts'
import type { Context } from '../database/context.ts'
import { schemaOf } from '../database/driver.ts'
import { isCorrupt, reporting } from '../database/errors.ts'
import {
  compareSchema,
  describeForeign,
  expectedSchema,
  keyOf,
  lostTables,
  refuseLostTables,
} from '../database/schema.ts'
import { migrations, migrationsUpTo } from '../migrations/index.ts'
import { checkIntegrity, type Integrity } from './health-file.ts'
import { checkIndex, countOf, rebuildIndex } from './health-index.ts'

/** Checks of SQLite itself; the rest is in `core/doctor/`. They only read: `remindb://doctor` runs them too. */
export function healthReads({ db, now }: Context) {
  return {
    engineChecks(): EngineChecks {
      const askedAt = now()
      // The other checks need tables that do not exist yet.
      const isOld = checkVersion(db).status === 'fail'
      // A view in place of a table would run with the next query.
      const only = isOld ? 'schema_version' : hasForeign(db) ? 'schema_objects' : undefined
      const checks = Object.entries(checksOf(db))
        .filter(([name]) => only === undefined || name === only)
        .map(([name, check]) => ({ name, ...run(check) }))
      return { checks, isReadable: only === undefined, now: askedAt }
    },
  }
}

export function healthWrites({ db }: Context) {
  return {
    engineHeal(name: string): void {
      refuseLostTables(db)
      if (name === INDEX_CHECK) rebuildIndex(db)
      if (name === 'foreign_keys') joinSnapshots(db)
    },
  }
}

/** The slow integrity check runs once for all of them. */
function checksOf(db: Database): Record<string, () => Finding> {
  let known: Integrity | undefined
  const integrity = (): Integrity => {
    known ??= checkIntegrity(db)
    return known
  }
  return {
    [INDEX_CHECK]: () => checkIndex(db, integrity),
    schema_version: () => checkVersion(db),
    schema_objects: () => checkObjects(db),
    foreign_keys: () => checkForeignKeys(db),
    pending_scrub: () => checkScrubs(db),
    database_file: () =>
      integrity().file
        ? pass('quick_check ok')
        : fail('the database file is damaged: restore the newest backup, then compile again'),
  }
}

function run(check: () => Finding): Finding {
  try {
    return reporting(check)
  } catch (error) {
    if (isMemoryError(error)) throw error
    return fail(`cannot be checked: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** An unreadable schema is reported by the checks. */
function hasForeign(db: Database): boolean {
  try {
    return compareSchema(db).foreign.length > 0
  } catch (error) {
    if (isCorrupt(error)) return false
    throw error
  }
}

function checkVersion(db: Database): Finding {
  const applied = migrationsUpTo(schemaOf(db))
  const known = migrations.length
  if (applied >= known) return pass(`${applied}/${known} migrations applied`)
  return fail(`${known - applied} migrations are missing (applied=${applied}, known=${known})`)
}

/** Repaired by `repairSchema`, outside of a transaction. */
function checkObjects(db: Database): Finding {
  const { foreign, missing } = compareSchema(db)
  if (foreign.length > 0) return fail(`not made by remindb: ${describeForeign(foreign)}`)
  if (missing.length === 0) return pass(`${expectedSchema().objects.length} tables, indexes and views`)
  return fail(
    `missing: ${missing.map(keyOf).join(', ')}${lostTables(missing).length > 0 ? `; ${RESTORE}` : ''}`,
  )
}

function checkForeignKeys(db: Database): Finding {
  const broken = db
    .prepare<[], { child: string; parent: string; count: number }>(
      'SELECT "table" AS child, parent, count(*) AS count FROM pragma_foreign_key_check() GROUP BY 1, 2',
    )
    .all()
  if (broken.length === 0) return pass('every row that another refers to is there')
  const counts = broken.map(({ child, parent, count }) => `${count} of ${child} to ${parent}`)
  return fail(`references to rows that are not there: ${counts.join(', ')}; ${RESTORE}`)
}

/** History is a line: the parent of a snapshot is the one before it. Nothing else can be recovered. */
function joinSnapshots(db: Database): void {
  db.exec(`UPDATE snapshots SET parent_id = (SELECT max(p.id) FROM snapshots p WHERE p.id < snapshots.id)
    WHERE NOT EXISTS (SELECT 1 FROM snapshots p WHERE p.id = snapshots.parent_id)`)
}

function checkScrubs(db: Database): Finding {
  const count = countOf(db, 'SELECT count(*) AS count FROM scrubs')
  if (count === 0) return pass('no removed text waits to be overwritten')
  return fail(
    `${count} removals are not overwritten on disk yet; a running server does that as soon as there are no readers, doctor --fix now`,
  )
}
