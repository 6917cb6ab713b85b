import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Engine } from '../../core/port/store.ts'
import { openSqlite, type SqliteOptions } from '../../store/sqlite/engine.ts'
import type { Places } from '../places/places.ts'
import { closeToOthers, createStateFolder } from '../places/state-folder.ts'
import type { Config } from '../settings/config.ts'

export interface EngineOptions
  extends Pick<
    SqliteOptions,
    'hash' | 'now' | 'leaving' | 'create' | 'readOnly' | 'readerThreads' | 'threads' | 'onMigration'
  > {
  config: Config
}

/** Opens what stores a memory. Its address says which engine that is: here a SQLite file. Nothing else knows which. */
export async function openEngine(
  { db, stateFolder, isAtHome }: Places,
  { config, ...options }: EngineOptions,
): Promise<Engine> {
  // A database in a place of its own must find its folder there.
  if (options.create && !existsSync(db) && dirname(db) === stateFolder) createStateFolder(stateFolder)
  if (!options.readOnly && isAtHome) closeToOthers(db)
  return openSqlite({
    ...options,
    file: db,
    synchronous: config['store.synchronous'],
    lockWaitMs: config['store.lock_wait_ms'],
  })
}
