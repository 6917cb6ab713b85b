import { quoted } from '../../util/text/quoted.ts'
import { isLonger } from './check.ts'
import { MAX_SEARCH, MAX_TAG, MAX_VIEW } from './limits.ts'
import { IMPORTANCES, RECORD_TYPES, STATUSES } from './model.ts'
import type { RecordFilter } from './select.ts'
import { type RecordSort, SORT_KEYS, SORT_ORDERS } from './sort.ts'
import { isSince, SINCE_WORDS } from './times.ts'

/** A user-defined view, as in the settings. */
export interface CustomView extends RecordSort {
  /** Its URI is `memory://custom/{name}`. */
  name: string
  description?: string
  filter?: RecordFilter & { since?: string }
  limit?: number
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/
const MAX_DESCRIPTION = 200
const MAX_TAGS = 100
/** Every client is shown all of them. */
const MAX_VIEWS = 100

type Check = (value: unknown) => true | string

const FILTER: Record<keyof NonNullable<CustomView['filter']>, Check> = {
  type: oneOf(RECORD_TYPES),
  tags: (value) =>
    (Array.isArray(value) && value.length <= MAX_TAGS && value.every((tag) => isText(tag, MAX_TAG))) ||
    `a list of strings of 1 to ${MAX_TAG} characters`,
  search: (value) => isText(value, MAX_SEARCH) || `a string of 1 to ${MAX_SEARCH} characters`,
  importance: oneOf(IMPORTANCES),
  category: (value) => isText(value, MAX_SEARCH) || 'a text',
  status: oneOf(STATUSES),
  archived: (value) => [true, false, 'only'].includes(value as boolean) || 'true, false or "only"',
  since: (value) => (typeof value === 'string' && isSince(value)) || SINCE_WORDS,
}

const VIEW: Record<keyof CustomView, Check> = {
  name: (value) =>
    (typeof value === 'string' && NAME.test(value)) ||
    '1 to 64 lowercase letters, digits, "-" and "_", such as "python-work"',
  description: (value) =>
    (isText(value, MAX_DESCRIPTION) && !/\p{Cc}/u.test(value)) ||
    `a string of 1 to ${MAX_DESCRIPTION} characters on one line`,
  filter: (value) => isObject(value) || `an object with ${Object.keys(FILTER).join(', ')}`,
  sort_by: oneOf(SORT_KEYS),
  sort_order: oneOf(SORT_ORDERS),
  limit: (value) =>
    (Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= MAX_VIEW) ||
    `a whole number from 1 to ${MAX_VIEW}`,
}

/** An example of a view, for messages. */
export const VIEW_EXAMPLE = '{"name": "python-work", "filter": {"tags": ["python"]}}'

/** The first invalid view, why and what to do: the text after the name of the list. Undefined if all are valid. */
export function problemOfViews(views: readonly unknown[]): string | undefined {
  if (views.length > MAX_VIEWS) return ` must have at most ${MAX_VIEWS} views, got ${views.length}`
  const names = new Set<unknown>()
  for (const [at, view] of views.entries()) {
    const problem = problemOfView(view) ?? problemOfName(view, names)
    if (problem !== undefined) return `[${at}]${problem}`
    names.add((view as CustomView).name)
  }
  return undefined
}

function problemOfView(view: unknown): string | undefined {
  if (!isObject(view)) return ` must be an object, got ${quoted(view)}; for example ${VIEW_EXAMPLE}`
  if (view.name === undefined) return ' has no name; give it one, such as "name": "python-work"'
  const problem =
    problemOfMembers(view, VIEW, '') ??
    (isObject(view.filter) ? problemOfMembers(view.filter, FILTER, 'filter.') : undefined)
  return problem && `${labelOf(view)}: ${problem}`
}

function problemOfName(view: unknown, taken: ReadonlySet<unknown>): string | undefined {
  const { name } = view as CustomView
  return taken.has(name)
    ? `${labelOf({ name })}: an earlier view has the same name; choose another`
    : undefined
}

function labelOf({ name }: { name?: unknown }): string {
  return typeof name === 'string' ? ` (${quoted(name)})` : ''
}

function problemOfMembers(
  given: Record<string, unknown>,
  checks: Record<string, Check>,
  prefix: string,
): string | undefined {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(checks, name))
      return `unknown field ${quoted(`${prefix}${name}`)}; use ${Object.keys(checks).join(', ')}`
    const wanted = checks[name]?.(value)
    if (wanted !== true) return `${prefix}${name} must be ${wanted}, got ${quoted(value)}`
  }
  return undefined
}

function oneOf(words: readonly string[]): Check {
  return (value) => words.includes(value as string) || `one of ${words.join(', ')}`
}

function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value !== '' && !isLonger(value, max)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
