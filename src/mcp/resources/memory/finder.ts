import { findMemoryName } from '../../model/names.ts'
import type { Resource } from '../../model/resource.ts'
import type { FoundResource } from '../../model/uri.ts'

/** Gives the finder of these resources, each by the template that `names.ts` has for it. */
export function createMemoryFinder(
  resources: readonly Resource[],
): (uri: string) => FoundResource | undefined {
  const known = new Map(resources.map((resource) => [resource.uri, resource]))
  return (uri) => {
    const name = findMemoryName(uri)
    const resource = name && known.get(name.template)
    return resource && { resource, variables: name.variables }
  }
}
