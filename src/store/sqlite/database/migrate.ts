import type { Database } from 'better-sqlite3'
import { MemoryError } from '../../../core/errors.ts'
import { migrationsUpTo, migrations as released, schemaAfter } from '../migrations/index.ts'
import { schemaOf, trusting } from './driver.ts'
import { translateError } from './errors.ts'
import { APPLICATION_ID } from './open.ts'

/** Brings a database to the newest schema, all steps or none. Safe when several processes do it at once. */
export function migrate(db: Database, now: number, migrations: readonly string[] = released): void {
  const newest = schemaAfter(migrations)
  if (schemaOf(db) >= newest) return
  const run = db.transaction(() => {
    // Read again under the lock: another process, even a newer one, may have been faster.
    const version = schemaOf(db)
    if (version >= newest) return
    takeSteps(db, migrations.slice(migrationsUpTo(version)))
    if (version === 0) createSpace(db, now)
    db.pragma(`user_version = ${newest}`)
    db.pragma(`application_id = ${APPLICATION_ID}`)
  })
  try {
    run.immediate()
  } catch (error) {
    const translated = translateError(error)
    if (translated !== error) throw translated
    throw new MemoryError(
      'CORRUPTED_DATA',
      'the database cannot be brought to the newest schema; it was not changed. Keep the file and restore the newest backup',
      { cause: error },
    )
  }
}

/** They may build the search index. */
export function takeSteps(db: Database, steps: readonly string[]): void {
  trusting(db, () => {
    for (const step of steps) db.exec(step)
  })
}

function createSpace(db: Database, now: number): void {
  db.prepare(
    `INSERT INTO spaces (id, name, state_digest, heat_ticked_at) VALUES (1, 'default', x'0000000000000000', ?)`,
  ).run(now)
  db.prepare(`INSERT INTO owners (id, space_id, name) VALUES (1, 1, 'local')`).run()
}
