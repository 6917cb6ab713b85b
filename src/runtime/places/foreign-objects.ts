import { describeForeignIn, repairSchemaOf } from '../../store/sqlite/health/repair-schema.ts'
import { backupName } from '../../util/files/backup-name.ts'
import { placesOf, refuseLinkedState } from './places.ts'

/** For a memory refused because of its schema: the foreign objects in it, and how to remove them. */
export function foreignObjectsOf(db: string) {
  const places = placesOf(db)
  refuseLinkedState(places)
  return {
    /** Undefined: there is nothing of the kind. */
    describe: (): string | undefined => describeForeignIn(places.db),
    /**
     * The name of the backup made first, and whether the objects were removed from it too. Throws if they cannot be
     * removed; then nothing was changed, and no backup is left, unless the error names it.
     */
    remove(now: number): { backup: string; isBackupCleaned: boolean } {
      const backup = backupName(places.db, now)
      return { backup, ...repairSchemaOf(places.db, backup) }
    },
  }
}
