import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'

let driver: typeof Sqlite | undefined

/** The native driver, loaded with the first handle: a command that opens no database does not pay for it. */
export function loadDriver(): typeof Sqlite {
  driver ??= createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite
  return driver
}

export function openHandle(...args: ConstructorParameters<typeof Sqlite>): Sqlite.Database {
  return new (loadDriver())(...args)
}
