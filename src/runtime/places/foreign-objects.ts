import { describeForeignIn, repairSchemaOf } from '../../store/sqlite/health/repair-schema.ts'
import { backupName } from '../../util/files/backup-name.ts'
import { placesOf, refuseLinkedState } from './places.ts'

/** For a memory that is refused because of what its schema holds: what that is, and how to get rid of it. */
export function foreignObjectsOf(db: string) {
  const places = placesOf(db)
  refuseLinkedState(places)
  return {
    /** Undefined: there is nothing of the kind. */
    describe: (): string | undefined => describeForeignIn(places.db),
    /**
     * The name of the copy that was made before, and whether they were removed from it, too. Throws when they cannot be
     * removed; then nothing was changed, and no copy is left, unless the error names it.
     */
    remove(now: number): { backup: string; isBackupCleaned: boolean } {
      const backup = backupName(places.db, now)
      return { backup, ...repairSchemaOf(places.db, backup) }
    },
  }
}
