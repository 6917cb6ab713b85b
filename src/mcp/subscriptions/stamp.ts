import type { Served } from '../model/served.ts'
import { findResource } from '../resources/list.ts'

/** What a resource is at the moment, as far as its subscribers are concerned; undefined where it does not say. */
export async function stampOf(
  { memory }: Pick<Served, 'memory'>,
  uri: string,
  find = findResource,
): Promise<string | undefined> {
  const { resource, variables = {} } = find(uri) ?? {}
  if (!resource || resource.isOfServer || !resource.stamp) return undefined
  return resource.stamp(await memory.observer(), variables)
}
