import type { Database } from 'better-sqlite3'
import type { CheckResult } from '../../core/port/store.ts'
import { type Check, countOf, type Finding, fail, pass } from './check.ts'
import type { Context } from './context.ts'
import { isBusy, isCorrupt } from './errors.ts'
import { findForeign } from './foreign-objects.ts'
import { unreachableCheck } from './health-cycles.ts'
import { documentsCheck } from './health-documents.ts'
import { refuseLostTables } from './health-expected.ts'
import { checkIntegrity, fileCheck, type Integrity } from './health-file.ts'
import { filesCheck } from './health-files.ts'
import { foreignKeysCheck } from './health-foreign-keys.ts'
import { heatCheck, leasesCheck } from './health-heat.ts'
import { indexCheck } from './health-index.ts'
import { labelsCheck } from './health-labels.ts'
import { missingTextCheck } from './health-missing-texts.ts'
import { cursorHashCheck, orphanCheck } from './health-nodes.ts'
import { schemaObjectsCheck, schemaVersionCheck } from './health-schema.ts'
import { textDigestCheck } from './health-text-digests.ts'
import { danglingCheck, textRefsCheck } from './health-texts.ts'
import { countedLinks } from './links.ts'

const PENDING_SCRUBS = 'SELECT count(*) AS count FROM scrubs'

/** Every check of this engine, in the order of the report. They read only: `remindb://doctor` runs them too. */
export function healthReads(context: Context) {
  return {
    health(): CheckResult[] {
      return checksToRun(context).map((check) => ({ name: check.name, ...runCheck(check) }))
    },
  }
}

function checksToRun(context: Context): Check[] {
  const version = schemaVersionCheck(context)
  // Nothing else can be asked of tables that are not there yet.
  if (version.run().status === 'fail') return [version]
  // A view in the place of a table would run with the next question.
  return hasForeign(context.db) ? [schemaObjectsCheck(context)] : allChecks(context)
}

/** A schema that cannot be read is for the checks to report. */
function hasForeign(db: Database): boolean {
  try {
    return findForeign(db).length > 0
  } catch (error) {
    if (isCorrupt(error)) return false
    throw error
  }
}

/** A damaged file or a missing table is something to report, not a reason to stop. */
function runCheck(check: Check): Finding {
  try {
    return check.run()
  } catch (error) {
    if (isBusy(error)) throw error
    if (isCorrupt(error)) return fail('cannot be checked: the database file is damaged')
    return fail(`cannot be checked: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export function healthWrites(context: Context) {
  return {
    heal(name: string): void {
      refuseLostTables(context.db)
      allChecks(context)
        .find((check) => check.name === name)
        ?.heal?.()
    },
  }
}

/** For one look at the database: what takes long is asked once. */
function allChecks(context: Context): Check[] {
  let known: Integrity | undefined
  const integrity = (): Integrity => {
    known ??= checkIntegrity(context.db)
    return known
  }
  return [
    indexCheck(context, integrity),
    orphanCheck(context),
    headCheck(context),
    danglingCheck(context),
    schemaVersionCheck(context),
    schemaObjectsCheck(context),
    foreignKeysCheck(context),
    missingTextCheck(context),
    textDigestCheck(context),
    textRefsCheck(context),
    labelsCheck(context),
    unreachableCheck(context),
    countersCheck(context),
    cursorHashCheck(context),
    heatCheck(context),
    leasesCheck(context),
    filesCheck(context),
    documentsCheck(context),
    scrubCheck(context),
    fileCheck(integrity),
  ]
}

function headCheck({ db, spaceId }: Context): Check {
  return {
    name: 'head_cursor',
    run() {
      const row = db
        .prepare<[number], { head_id: number | null; found: number; newest: number | null }>(
          `SELECT p.head_id, EXISTS (SELECT 1 FROM snapshots s WHERE s.id = p.head_id) AS found,
             (SELECT max(id) FROM snapshots) AS newest FROM spaces p WHERE p.id = ?`,
        )
        .get(spaceId)
      if (!row?.head_id)
        return row?.newest ? fail('there are snapshots, but no HEAD cursor') : pass('no HEAD cursor')
      return row.found
        ? pass(`HEAD → snapshot ${row.head_id}`)
        : fail(`HEAD points at missing snapshot ${row.head_id}`)
    },
    heal() {
      db.prepare('UPDATE spaces SET head_id = (SELECT max(id) FROM snapshots) WHERE id = ?').run(spaceId)
    },
  }
}

const COUNTED = `SELECT 'nodes' AS name, count(*) AS value FROM nodes WHERE removed_in IS NULL
  UNION ALL SELECT 'tokens', coalesce(sum(tokens), 0) FROM nodes WHERE removed_in IS NULL
  UNION ALL SELECT 'nodes.' || type, count(*) FROM nodes WHERE removed_in IS NULL GROUP BY type
  UNION ALL ${countedLinks()}`

function countersCheck({ db, spaceId }: Context): Check {
  return {
    name: 'counters',
    run() {
      const wrong = db
        .prepare<[number], { name: string }>(
          `SELECT coalesce(c.name, r.name) AS name FROM (${COUNTED}) r
           FULL JOIN (SELECT * FROM counters WHERE space_id = ?) c ON c.name = r.name
           WHERE coalesce(c.value, 0) <> coalesce(r.value, 0)`,
        )
        .all(spaceId)
      if (wrong.length === 0) return pass('counters agree with the nodes and links')
      return fail(`${wrong.length} counters are off: ${wrong.map((row) => row.name).join(', ')}`)
    },
    heal() {
      db.prepare('DELETE FROM counters WHERE space_id = ?').run(spaceId)
      db.prepare(`INSERT INTO counters (space_id, name, value) SELECT ?, name, value FROM (${COUNTED})`).run(
        spaceId,
      )
    },
  }
}

function scrubCheck({ db }: Context): Check {
  return {
    name: 'pending_scrub',
    run() {
      const count = countOf(db, PENDING_SCRUBS)
      if (count === 0) return pass('no removed text waits to be overwritten')
      return fail(
        `${count} removals are not overwritten on disk yet; a running server does that as soon as nobody reads, doctor --fix now`,
      )
    },
  }
}
