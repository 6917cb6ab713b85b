import type { Resource as ResourceEntry } from '@modelcontextprotocol/server'
import { logUnexpected } from '../errors.ts'
import type { Served } from '../served.ts'
import { RESOURCE_ENTRIES, RESOURCES } from './list.ts'
import { mimeTypeOf, type Resource } from './resource.ts'

/** Whether `resources/list` can be another one the next time. */
export const HAS_LIVE_ENTRIES = RESOURCES.some(({ entries }) => entries !== undefined)

/** All that is always there, then what is there at the moment. A memory that cannot be opened hides only the latter. */
export async function listResources(
  served: Pick<Served, 'observer' | 'log'>,
  resources: readonly Resource[] = RESOURCES,
): Promise<ResourceEntry[]> {
  const live = await Promise.all(resources.map((resource) => liveEntries(served, resource)))
  return [...RESOURCE_ENTRIES, ...live.flat()]
}

async function liveEntries(
  served: Pick<Served, 'observer' | 'log'>,
  resource: Resource,
): Promise<ResourceEntry[]> {
  if (!resource.entries) return []
  try {
    const entries = await resource.entries(await served.observer())
    return entries.map((entry) => ({ ...entry, mimeType: mimeTypeOf(resource) }))
  } catch (error) {
    logUnexpected(served.log, 'resources cannot be listed', error)
    return []
  }
}
