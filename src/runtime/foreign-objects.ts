import { describeForeignIn, removeForeignFrom } from '../store/sqlite/remove-foreign.ts'
import { backupName } from '../util/backup-name.ts'
import { placesOf, refuseLinkedState } from './places.ts'

/** For a memory that is refused because of what its schema holds: what that is, and how to get rid of it. */
export function foreignObjectsOf(db: string) {
  const places = placesOf(db)
  refuseLinkedState(places)
  return {
    /** Undefined: there is nothing of the kind. */
    describe: (): string | undefined => describeForeignIn(places.db),
    /** The name of the copy that was made before. Throws when they cannot be removed; then nothing was changed. */
    remove(now: number): string {
      const backup = backupName(places.db, now)
      removeForeignFrom(places.db, backup)
      return backup
    },
  }
}
