import type { Database } from 'better-sqlite3'
import { type Finding, fail, pass } from '../../core/doctor/check.ts'
import { isMemoryError } from '../../core/errors.ts'
import type { CheckResult, EngineChecks } from '../../core/port/store.ts'
import { type Check, countOf } from './check.ts'
import type { Context } from './context.ts'
import { isCorrupt, reporting } from './errors.ts'
import { findForeign } from './foreign-objects.ts'
import { refuseLostTables } from './health-expected.ts'
import { checkIntegrity, fileCheck, type Integrity } from './health-file.ts'
import { foreignKeysCheck } from './health-foreign-keys.ts'
import { indexCheck } from './health-index.ts'
import { schemaObjectsCheck, schemaVersionCheck } from './health-schema.ts'

const PENDING_SCRUBS = 'SELECT count(*) AS count FROM scrubs'

/** What only SQLite can tell; the rest is core's (`core/doctor/`). These read only: `remindb://doctor` runs them too. */
export function healthReads(context: Context) {
  return {
    engineChecks(): EngineChecks {
      const now = context.now()
      const version = schemaVersionCheck(context)
      // Nothing else can be asked of tables that are not there yet.
      if (version.run().status === 'fail') return { checks: [resultOf(version)], isAskable: false, now }
      // A view in the place of a table would run with the next question.
      if (hasForeign(context.db))
        return { checks: [resultOf(schemaObjectsCheck(context))], isAskable: false, now }
      return { checks: allChecks(context).map(resultOf), isAskable: true, now }
    },
  }
}

function resultOf(check: Check): CheckResult {
  return { name: check.name, ...runCheck(check) }
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

function runCheck(check: Check): Finding {
  try {
    return reporting(() => check.run())
  } catch (error) {
    if (isMemoryError(error)) throw error
    return fail(`cannot be checked: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export function healthWrites(context: Context) {
  return {
    engineHeal(name: string): void {
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
    schemaVersionCheck(context),
    schemaObjectsCheck(context),
    foreignKeysCheck(context),
    scrubCheck(context),
    fileCheck(integrity),
  ]
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
