import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { byOperator } from '../../core/audit/operator.ts'
import type { Engine } from '../../core/port/store.ts'
import { openSqlite, type SqliteOptions } from '../../store/sqlite/engine.ts'
import type { Places } from '../places/places.ts'
import { closeToOthers, createStateFolder } from '../places/state-folder.ts'
import type { Config } from '../settings/config.ts'
import type { AuditOptions } from './open-options.ts'

export interface EngineOptions
  extends Pick<
    SqliteOptions,
    'hash' | 'now' | 'leaving' | 'create' | 'readOnly' | 'readerThreads' | 'threads' | 'onMigration'
  > {
  config: Config
  audit?: AuditOptions | undefined
}

/** Opens the engine of a memory. Its address decides which: here a SQLite file. No other module knows. */
export async function openEngine(
  { db, stateFolder, isAtHome }: Places,
  { config, audit, ...options }: EngineOptions,
): Promise<Engine> {
  // Only a `.remindb` is created: the folder of a database elsewhere must exist.
  if (options.create && !existsSync(db) && dirname(db) === stateFolder) createStateFolder(stateFolder)
  if (!options.readOnly && isAtHome) closeToOthers(db)
  const engine = await openSqlite({
    ...options,
    file: db,
    synchronous: config['store.synchronous'],
    lockWaitMs: config['store.lock_wait_ms'],
  })
  const recordsOperator = audit && audit.recordsOperator !== false
  return recordsOperator ? { ...engine, store: byOperator(engine.store) } : engine
}
