import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'
import { frontTags } from '../../core/find/tags.ts'
import { indexForm } from '../../core/find/words.ts'

let driver: typeof Sqlite | undefined

/** The native driver, loaded with the first handle: a command that opens no database does not pay for it. */
export function loadDriver(): typeof Sqlite {
  driver ??= createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite
  return driver
}

/** Every handle knows `index_form`: the view that the search index is made from calls it. */
export function openHandle(...args: ConstructorParameters<typeof Sqlite>): Sqlite.Database {
  const db = new (loadDriver())(...args)
  db.function('index_form', { deterministic: true }, (text, type) =>
    indexForm(String(text), { tags: frontTags(String(text), String(type)) }),
  )
  return db
}
