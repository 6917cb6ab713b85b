import { memory } from './0009-memory.ts'
import { keysByClient } from './0010-keys-by-client.ts'
import { userCounts } from './0011-user-counts.ts'
import { audit } from './0012-audit.ts'
import { moments } from './0013-moments.ts'

/** Schemas 1 to 8 were never released; nothing brings their databases up to date. */
export const FIRST_SCHEMA = 9

/**
 * In order. Each is SQL that leads from one schema to the next, may call the functions of `driver.ts`, and has the number of
 * the schema that it makes in its name. Forward only: a released one is never edited.
 */
export const migrations: readonly string[] = [memory, keysByClient, userCounts, audit, moments]

/** The number of the schema that `steps` make; a database has it as its `user_version`. */
export function schemaAfter(steps: readonly string[]): number {
  return FIRST_SCHEMA - 1 + steps.length
}

export const NEWEST_SCHEMA = schemaAfter(migrations)

/** How many migrations made this schema; 0 is an empty database. */
export function migrationsUpTo(schema: number): number {
  return Math.max(0, schema - FIRST_SCHEMA + 1)
}
