import type { Resource as ResourceEntry } from '@modelcontextprotocol/server'
import { logUnexpected } from '../errors.ts'
import type { Served } from '../served.ts'
import { RESOURCE_ENTRIES, RESOURCES } from './list.ts'
import { mimeTypeOf, type Resource } from './resource.ts'
import { isServed } from './scheme.ts'

/** Whether settings decide what `resources/list` shows. */
export const HAS_LIVE_ENTRIES = RESOURCES.some(({ entries }) => entries !== undefined)

/** All that is always there, then what the settings add. A memory that cannot be opened hides only the latter. */
export async function listResources(
  served: Pick<Served, 'observer' | 'log' | 'schemes'>,
  resources: readonly Resource[] = RESOURCES,
): Promise<ResourceEntry[]> {
  const { schemes } = served
  const offered = resources.filter(({ uri }) => isServed(schemes, uri))
  const live = await Promise.all(offered.map((resource) => liveEntries(served, resource)))
  return [...RESOURCE_ENTRIES.filter(({ uri }) => isServed(schemes, uri)), ...live.flat()]
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
