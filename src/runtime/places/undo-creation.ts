import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { placesOf } from './places.ts'

/**
 * Remembers what there is where a memory may be created. The function it gives removes what came since: for when the
 * creation was for nothing, and nobody has used the memory.
 */
export function rememberPlace(db: string): () => void {
  const { db: file, stateFolder } = placesOf(db)
  const isOurs = dirname(file) === stateFolder
  const files = [`${file}-wal`, `${file}-shm`, file, ...(isOurs ? [join(stateFolder, '.gitignore')] : [])]
  const absent = files.filter((path) => !existsSync(path))
  const hadFolder = existsSync(stateFolder)
  return () => {
    // A database that was there before is not ours to take apart.
    if (!absent.includes(file)) return
    for (const path of absent) rmSync(path, { force: true })
    if (isOurs && !hadFolder && isEmptyFolder(stateFolder)) rmdirSync(stateFolder)
  }
}

function isEmptyFolder(path: string): boolean {
  return existsSync(path) && readdirSync(path).length === 0
}
