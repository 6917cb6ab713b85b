import type { Engine } from '../../core/port/store.ts'
import type { Places } from './places.ts'

/** A copy of a memory in another place, such as a backup, still refers to the files of its original home. */
export async function locate(places: Places, { store }: Engine): Promise<Places> {
  if (places.isAtHome) return places
  try {
    return {
      ...places,
      home: (await store.read((tx) => tx.state(), { includeExpired: true })).home ?? places.home,
    }
  } catch {
    // A damaged database can still be opened: doctor reports the damage.
    return places
  }
}
