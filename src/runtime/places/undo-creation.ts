import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { placesOf } from './places.ts'

/**
 * Remembers which files exist where a memory may be created. The returned function removes the new ones: for a failed
 * creation of a memory that was never used.
 */
export function rememberPlace(db: string): () => void {
  const { db: file, stateFolder } = placesOf(db)
  const isOurs = dirname(file) === stateFolder
  const files = [`${file}-wal`, `${file}-shm`, file, ...(isOurs ? [join(stateFolder, '.gitignore')] : [])]
  const absent = files.filter((path) => !existsSync(path))
  const hadFolder = existsSync(stateFolder)
  return () => {
    // A database that existed before must not be removed.
    if (!absent.includes(file)) return
    for (const path of absent) rmSync(path, { force: true })
    if (isOurs && !hadFolder && isEmptyFolder(stateFolder)) rmdirSync(stateFolder)
  }
}

function isEmptyFolder(path: string): boolean {
  return existsSync(path) && readdirSync(path).length === 0
}
