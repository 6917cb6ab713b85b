import type { Resource as ResourceEntry } from '@modelcontextprotocol/server'
import { mimeTypeOf, type Resource } from '../model/resource.ts'
import { isServed } from '../model/scheme.ts'
import type { Served } from '../model/served.ts'
import { RESOURCE_ENTRIES, RESOURCES } from './list.ts'

/** Whether settings decide what `resources/list` shows. */
export const HAS_LIVE_ENTRIES = RESOURCES.some((resource) => !resource.isOfServer && resource.entries)

/** All that is always there, then what the settings add. */
export function listResources(
  { observer, schemes }: Pick<Served, 'observer' | 'schemes'>,
  resources: readonly Resource[] = RESOURCES,
): ResourceEntry[] {
  const offered = resources.filter(({ uri }) => isServed(schemes, uri))
  const live = offered.flatMap((resource) => {
    const entries = resource.isOfServer ? [] : (resource.entries?.(observer) ?? [])
    return entries.map((entry) => ({ ...entry, mimeType: mimeTypeOf(resource) }))
  })
  return [...RESOURCE_ENTRIES.filter(({ uri }) => isServed(schemes, uri)), ...live]
}
