import { findResource } from '../resources/list.ts'
import type { Served } from '../served.ts'

/** What a resource is at the moment, as far as its subscribers are concerned; undefined where it does not say. */
export async function stampOf(
  served: Pick<Served, 'observer'>,
  uri: string,
  find = findResource,
): Promise<string | undefined> {
  const found = find(uri)
  return found?.resource.stamp?.(await served.observer(), found.variables)
}
