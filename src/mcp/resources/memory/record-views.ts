import { readEvent } from '../../../core/audit/reads.ts'
import type { ViewOptions } from '../../../core/records/views.ts'
import { UnknownUri } from '../../model/error-words.ts'
import {
  CUSTOM_VIEW_TEMPLATE,
  narrowedView,
  RECORD_VIEWS,
  type RecordView,
  uriOfCustomView,
  uriOfView,
} from '../../model/names.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { limitIn } from '../../model/variables.ts'

/** As a client lists them. */
const SHOWN: Record<RecordView, { name: string; description: string }> = {
  recent: {
    name: 'Recent Memories',
    description: 'The 20 most recently accessed memories across all types',
  },
  core: {
    name: 'Core Memories',
    description: 'All core memories that are not archived, the most important first',
  },
  learnings: {
    name: 'Recent Learnings',
    description: 'Learnings created or accessed in the last 30 days, the newest first',
  },
  'tasks/active': {
    name: 'Active Tasks',
    description: 'All tasks that are not archived, the last updated first',
  },
  'tasks/completed': {
    name: 'Completed Tasks',
    description: 'Tasks completed in the last 30 days, the last completed first',
  },
}

const audited = () => [readEvent('memory_listed')]

/** Each view in full, and narrowed by `limit`, `since` (a date or a time) and `tags` (all of them, separated by commas). */
const views: MemoryResource[] = RECORD_VIEWS.flatMap((view) => {
  const { name, description } = SHOWN[view]
  const read: MemoryResource['read'] = (observer, variables) =>
    observer.recordView(view, optionsIn(variables))
  const stamp: MemoryResource['stamp'] = (observer, variables) =>
    observer.recordStamp(view, optionsIn(variables))
  return [
    { uri: uriOfView(view), name, title: name, scope: 'memories:read', description, audited, read, stamp },
    {
      uri: narrowedView(view),
      name: `${name}, narrowed`,
      title: `${name}, narrowed`,
      scope: 'memories:read',
      description: `${description}; at most limit, since a date or time, with all of the tags (a,b)`,
      audited,
      read,
      stamp,
    },
  ]
})

const custom: MemoryResource = {
  uri: CUSTOM_VIEW_TEMPLATE,
  name: 'memory-custom',
  title: 'Custom view',
  scope: 'memories:read',
  description: 'Memories as a view of .remindb/config.json chooses and sorts them',
  audited,
  async read(observer, { view = '', ...variables }) {
    const found = await observer.findCustomView(view, optionsIn(variables))
    if (!found) throw new UnknownUri(uriOfCustomView(view))
    return found
  },
  stamp: (observer, { view = '', ...variables }) => observer.customStamp(view, optionsIn(variables)),
  entries: (server) =>
    server.customViews().map(({ name, description }) => ({
      uri: uriOfCustomView(name),
      name: `memory-custom-${name}`,
      title: name,
      scope: 'memories:read',
      description: description ?? `The custom view ${name}`,
    })),
}

export const RECORD_RESOURCES: readonly MemoryResource[] = [...views, custom]

function optionsIn(variables: Record<string, string>): ViewOptions {
  const { since, tags } = variables
  return {
    ...limitIn(variables),
    ...(since === undefined ? {} : { since }),
    ...(tags === undefined ? {} : { tags: tags.split(',').filter((tag) => tag !== '') }),
  }
}
