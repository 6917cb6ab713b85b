import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/support/store-files.ts'
import { openHandle } from './driver.ts'
import { openWriter, schemaVersion } from './open.ts'

test('a database that another process creates meanwhile is blank, not foreign', () => {
  const file = join(temporaryFolder(), 'memory.db')
  using opened = { db: openHandle(file), [Symbol.dispose]: () => opened.db.close() }
  using other = { db: openHandle(file), [Symbol.dispose]: () => other.db.close() }
  other.db.pragma('busy_timeout = 0')
  const pragma = opened.db.pragma.bind(opened.db)
  opened.db.pragma = (source, options) => {
    const answer = pragma(source, options)
    try {
      other.db.exec('BEGIN; PRAGMA application_id = 7; CREATE TABLE t (x); COMMIT')
    } catch {
      // The reader is in its transaction: the creator has to wait.
    }
    return answer
  }
  expect(schemaVersion(opened.db)).toBe(0)
})

test('only a handle that stages may keep much of its database in memory', () => {
  const keptBy = (isStaging: boolean): unknown => {
    const db = openWriter({ file: join(temporaryFolder(), 'memory.db'), isStaging })
    using _closed = { [Symbol.dispose]: () => db.close() }
    return db.pragma('cache_size', { simple: true })
  }
  // Negative: KiB, not pages.
  expect([keptBy(false), keptBy(true)]).toEqual([-16_000, -64_000])
})
