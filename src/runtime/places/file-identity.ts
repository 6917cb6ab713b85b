import { MemoryError } from '../../core/errors.ts'
import { rememberIdentity } from '../../util/files/file-identity.ts'

/** The returned check throws once that name means another file, or none: SQLite would keep writing to an unreachable file. */
export function watchIdentity(file: string): () => void {
  const isSame = rememberIdentity(file)
  return () => {
    if (isSame()) return
    throw new MemoryError(
      'UNAVAILABLE',
      `the database ${file} was deleted, moved or replaced while it was open; put it back, or start the server again`,
    )
  }
}
