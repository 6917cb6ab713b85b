import { statSync } from 'node:fs'

/**
 * Remembers the identity of `file`. Returns whether that name still means the same file. It never opens the file: closing it would
 * drop the locks of this process on it.
 */
export function rememberIdentity(file: string): () => boolean {
  const idOf = (): string | undefined => {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
    return stats && `${stats.dev}:${stats.ino}`
  }
  const remembered = idOf()
  return () => idOf() === remembered
}
