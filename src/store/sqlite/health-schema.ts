import { fail, pass, RESTORE } from '../../core/doctor/check.ts'
import type { Check } from './check.ts'
import type { Context } from './context.ts'
import { describeForeign, dropForeign, findForeign } from './foreign-objects.ts'
import { expectedSchema, isOfIndex, lostTables, missingObjects } from './health-expected.ts'
import { rebuildIndex } from './health-rebuild.ts'
import { migrations, migrationsUpTo } from './migrations/index.ts'

export function schemaVersionCheck({ db }: Context): Check {
  return {
    name: 'schema_version',
    run() {
      const applied = migrationsUpTo(db.pragma('user_version', { simple: true }) as number)
      const known = migrations.length
      if (applied >= known) return pass(`${applied}/${known} migrations applied`)
      return fail(`${known - applied} migrations are missing (applied=${applied}, known=${known})`)
    },
  }
}

/** Repaired by `removeForeign`, outside of a transaction. */
export function schemaObjectsCheck({ db }: Context): Check {
  return {
    name: 'schema_objects',
    run() {
      const foreign = findForeign(db)
      if (foreign.length > 0) return fail(`not made by remindb: ${describeForeign(foreign)}`)
      const missing = missingObjects(db)
      if (missing.length === 0) return pass(`${expectedSchema().objects.length} tables, indexes and views`)
      const names = missing.map(({ type, name }) => `${type} ${name}`).join(', ')
      return fail(`missing: ${names}${lostTables(db).length > 0 ? `; ${RESTORE}` : ''}`)
    },
  }
}

/** Removes what is not ours and makes what is missing, except tables: their rows are nowhere else. */
export function makeSchemaOurs({ db }: Pick<Context, 'db'>): void {
  dropForeign(db)
  if ([...missingObjects(db), ...findForeign(db)].some(isOfIndex)) rebuildIndex({ db })
}
