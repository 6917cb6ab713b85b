import type { CheckResult } from '../../core/store.ts'
import { type Check, countOf, type Finding, fail, pass, warn } from './check.ts'
import type { Context } from './context.ts'
import { isCorrupt } from './errors.ts'
import { fileCheck, indexCheck } from './health-index.ts'
import { cursorHashCheck, orphanCheck } from './health-nodes.ts'
import { danglingCheck, textRefsCheck } from './health-texts.ts'
import { migrations } from './migrations/index.ts'

/** Every check of this engine, in the order of the report. They read only: `remindb://doctor` runs them too. */
export function healthReads(context: Context) {
  const checks = allChecks(context)
  return {
    health(): CheckResult[] {
      const schema = schemaCheck(context)
      // Nothing else can be asked of tables that are not there yet.
      const run = schema.run().status === 'fail' ? [schema] : checks
      return run.map((check) => ({ name: check.name, ...runCheck(check) }))
    },
  }
}

/** A damaged file is something to report, not a reason to stop. */
function runCheck(check: Check): Finding {
  try {
    return check.run()
  } catch (error) {
    if (!isCorrupt(error)) throw error
    return fail('cannot be checked: the database file is damaged')
  }
}

export function healthWrites(context: Context) {
  const checks = allChecks(context)
  return {
    heal(name: string): void {
      checks.find((check) => check.name === name)?.heal?.()
    },
  }
}

function allChecks(context: Context): Check[] {
  return [
    indexCheck(context),
    orphanCheck(context),
    headCheck(context),
    danglingCheck(context),
    schemaCheck(context),
    textRefsCheck(context),
    countersCheck(context),
    cursorHashCheck(context),
    scrubCheck(context),
    fileCheck(context),
  ]
}

function schemaCheck({ db }: Context): Check {
  return {
    name: 'schema_version',
    run() {
      const applied = db.pragma('user_version', { simple: true }) as number
      const known = migrations.length
      if (applied >= known) return pass(`${applied}/${known} migrations applied`)
      return fail(`${known - applied} migrations are missing (applied=${applied}, known=${known})`)
    },
  }
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
  UNION ALL SELECT 'nodes.' || type, count(*) FROM nodes WHERE removed_in IS NULL GROUP BY type`

function countersCheck({ db, spaceId }: Context): Check {
  return {
    name: 'counters',
    run() {
      const wrong = db
        .prepare<[number], { name: string }>(
          `SELECT coalesce(c.name, r.name) AS name FROM (${COUNTED}) r
           FULL JOIN (SELECT * FROM counters WHERE space_id = ? AND (name = 'tokens' OR name LIKE 'nodes%')) c
             ON c.name = r.name
           WHERE coalesce(c.value, 0) <> coalesce(r.value, 0)`,
        )
        .all(spaceId)
      if (wrong.length === 0) return pass('counters agree with the nodes')
      return fail(`${wrong.length} counters are off: ${wrong.map((row) => row.name).join(', ')}`)
    },
    heal() {
      db.prepare(`DELETE FROM counters WHERE space_id = ? AND (name = 'tokens' OR name LIKE 'nodes%')`).run(
        spaceId,
      )
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
      const count = countOf(db, 'SELECT count(*) AS count FROM scrubs')
      if (count === 0) return pass('no removed text waits to be overwritten')
      return warn(
        `${count} removals are not overwritten on disk yet: another process was reading; run doctor --fix`,
      )
    },
  }
}
