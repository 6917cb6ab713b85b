import type { Database } from 'better-sqlite3'
import { backUp } from './backup.ts'
import { translating } from './errors.ts'
import { describeForeign, dropForeign, findForeign } from './foreign-objects.ts'
import { makeSchemaOurs } from './health-schema.ts'
import { migrations } from './migrations/index.ts'
import { inspectFile, openReader, openWriter, schemaVersion } from './open.ts'

/** What is in a database that cannot be opened for it, in words; undefined when there is nothing. Only the schema is read. */
export function describeForeignIn(file: string): string | undefined {
  if (inspectFile(file) === 'absent') return undefined
  const db = openReader(file)
  try {
    const found = translating(() => findForeign(db, schemaVersion(db)))
    return found.length === 0 ? undefined : describeForeign(found)
  } finally {
    db.close()
  }
}

/** Removes it, all or nothing, after a copy was written to `backup`. No table is read, and no trigger runs. */
export function removeForeignFrom(file: string, backup: string): void {
  const db = translating(() => openWriter({ file, synchronous: 'full', busyTimeoutMs: 5000 }))
  try {
    translating(() => {
      backUp(db, backup)
      remove(db)
    })
  } finally {
    db.close()
  }
}

function remove(db: Database): void {
  // Dropping a table would follow them.
  db.pragma('foreign_keys = OFF')
  const removing = db.transaction(() => {
    const version = schemaVersion(db)
    if (version < migrations.length) dropForeign(db, version)
    else makeSchemaOurs({ db })
  })
  removing.immediate()
}
