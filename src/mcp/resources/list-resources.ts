import type { Resource as ResourceEntry, ResourceTemplateType } from '@modelcontextprotocol/server'
import { hasScope } from '../model/access.ts'
import { mimeTypeOf, type Resource } from '../model/resource.ts'
import { isServed } from '../model/scheme.ts'
import type { Served } from '../model/served.ts'
import { isTemplate } from '../model/uri.ts'
import { RESOURCES } from './list.ts'

type Listing = Pick<Served, 'schemes' | 'allowed'>

/** Whether settings decide which resources `resources/list` shows. */
export const HAS_LIVE_ENTRIES = RESOURCES.some((resource) => !resource.isOfServer && resource.entries)

/** The fixed resources, then those from settings. */
export function listResources(
  served: Listing & Pick<Served, 'observer'>,
  resources: readonly Resource[] = RESOURCES,
): ResourceEntry[] {
  const offered = offeredResources(served, resources)
  const fixed = offered.filter(({ uri }) => !isTemplate(uri))
  const live = offered.flatMap((resource) => {
    const entries = resource.isOfServer ? [] : (resource.entries?.(served.observer) ?? [])
    return entries.map((entry) => ({ ...entry, mimeType: mimeTypeOf(resource) }))
  })
  return [...fixed.map((resource) => ({ uri: resource.uri, ...shownOf(resource) })), ...live]
}

export function listTemplates(served: Listing): ResourceTemplateType[] {
  const templates = offeredResources(served, RESOURCES).filter(({ uri }) => isTemplate(uri))
  return templates.map((resource) => ({ uriTemplate: resource.uri, ...shownOf(resource) }))
}

/** The resources that the client may read. */
function offeredResources({ schemes, allowed }: Listing, resources: readonly Resource[]): Resource[] {
  const allowance = allowed()
  return resources.filter(({ uri, scope }) => isServed(schemes, uri) && hasScope(allowance, scope))
}

function shownOf(resource: Resource) {
  const { name, title, description } = resource
  return { name, title, description, mimeType: mimeTypeOf(resource) }
}
