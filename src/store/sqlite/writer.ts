import { existsSync, rmSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import type { Hash64 } from '../../core/digest.ts'
import { MemoryError } from '../../core/errors.ts'
import { isBusy } from './errors.ts'
import { migrate } from './migrate.ts'
import { createPrivate, openContext, openWriter, type WriterOptions } from './open.ts'
import { scrub } from './scrub.ts'
import { writeQueries } from './transaction.ts'

export interface WriterSettings extends WriterOptions {
  /** How long to wait for another process's write before giving up. */
  lockWaitMs: number
}

/** The one handle that writes: commands come in by name, so that it can live in a thread of its own. */
export function createWriter(settings: WriterSettings, hash: Hash64) {
  const db = openWriter(settings)
  migrate(db, Date.now())
  db.pragma(`busy_timeout = ${Math.min(settings.busyTimeoutMs, settings.lockWaitMs)}`)
  const queries = writeQueries(openContext(db, hash, Date.now))
  const beginStatement = db.prepare('BEGIN IMMEDIATE')

  const commands = {
    begin(): void {
      const deadline = Date.now() + settings.lockWaitMs
      while (!tryBegin(beginStatement, deadline)) {
        // busy_timeout has slept already; the loop only asks again.
      }
      queries.reset()
    },
    commit: (): void => void db.exec('COMMIT'),
    rollback: (): void => void (db.inTransaction && db.exec('ROLLBACK')),
    backup: (file: string): void => backup(db, file),
    scrub: (): boolean => scrub(db),
    pragma: (name: string): unknown => db.pragma(name, { simple: true }),
    close: (): void => void db.close(),
  }

  return function run(command: string, args: unknown[]): unknown {
    const table = (command in commands ? commands : queries) as Record<
      string,
      (...args: unknown[]) => unknown
    >
    const work = table[command]
    if (!work) throw new Error(`the writer has no command ${command}`)
    return work(...args)
  }
}

function tryBegin(begin: { run(): unknown }, deadline: number): boolean {
  try {
    begin.run()
    return true
  } catch (error) {
    if (isBusy(error) && Date.now() < deadline) return false
    throw error
  }
}

function backup(db: Database, file: string): void {
  if (existsSync(file)) {
    throw new MemoryError(
      'CONFLICT',
      'there is a file of that name already; choose another name for the backup',
    )
  }
  try {
    createPrivate(file)
    db.prepare('VACUUM INTO ?').run(file)
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  }
}
