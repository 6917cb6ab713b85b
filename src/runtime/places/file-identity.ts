import { statSync } from 'node:fs'
import { MemoryError } from '../../core/errors.ts'

/**
 * Remembers the identity of `file`. The returned check throws once that name means another file, or none: SQLite would keep writing
 * to an unreachable file. It never opens the file: closing it would drop the locks of this process on it.
 */
export function watchIdentity(file: string): () => void {
  const idOf = (): string | undefined => {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
    return stats && `${stats.dev}:${stats.ino}`
  }
  const opened = idOf()
  return () => {
    if (idOf() === opened) return
    throw new MemoryError(
      'UNAVAILABLE',
      `the database ${file} was deleted, moved or replaced while it was open; put it back, or start the server again`,
    )
  }
}
