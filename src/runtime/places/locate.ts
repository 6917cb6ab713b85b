import type { Engine } from '../../core/port/store.ts'
import type { Places } from './places.ts'

/** A copy of a memory that lies elsewhere, such as a backup, still means the files of the home it was copied from. */
export async function locate(places: Places, { store }: Engine): Promise<Places> {
  if (places.isAtHome) return places
  try {
    return {
      ...places,
      home: (await store.read((tx) => tx.state(), { includeExpired: true })).home ?? places.home,
    }
  } catch {
    // A damaged database can still be opened: doctor says what is wrong with it.
    return places
  }
}
