import type { CustomView } from './custom-view.ts'
import { MAX_VIEW } from './limits.ts'
import { type SortBy, sortRecords } from './sort.ts'
import { readView, stampView, type View, type ViewDeps, type ViewOptions } from './views.ts'

/** The time that a sort uses; importance and the number of accesses are not times. */
const TIMES: Partial<Record<SortBy, View['times']>> = {
  created_at: ['created'],
  updated_at: ['updated'],
  accessed_at: ['accessed'],
}

export interface CustomViewDeps extends ViewDeps {
  /** As in the settings at the start. */
  views: () => readonly CustomView[]
}

/** The content of the view with this name; undefined if there is none. */
export async function findCustomView(
  deps: CustomViewDeps,
  name: string,
  options: ViewOptions = {},
): Promise<string | undefined> {
  const found = deps.views().find((view) => view.name === name)
  return (
    found && readView(deps, { name: `custom/${name}`, ...viewOf(found) }, { ...sinceOf(found), ...options })
  )
}

/** See `stampView`; empty if there is none. */
export async function customStamp(
  deps: CustomViewDeps,
  name: string,
  options: ViewOptions = {},
): Promise<string> {
  const found = deps.views().find((view) => view.name === name)
  return found ? stampView(deps, viewOf(found), { ...sinceOf(found), ...options }) : ''
}

function viewOf(custom: CustomView): View {
  const { filter: { since: _, ...filter } = {}, sort_by = 'accessed_at', limit = MAX_VIEW } = custom
  const times = TIMES[sort_by] ?? (['updated'] as const)
  return { filter, sort: sortRecords(custom), times, limit, isFirstOnly: custom.limit !== undefined }
}

function sinceOf({ filter }: CustomView): ViewOptions {
  return filter?.since === undefined ? {} : { since: filter.since }
}
