import { parseTime } from '../../../util/text/times.ts'
import { DOCUMENT_KINDS, NODE_TYPES } from '../../model.ts'
import type { Filters } from './query-model.ts'
import { tagWord } from './tags.ts'

export const FILTER_NAMES = ['type', 'path', 'kind', 'tag', 'since', 'pinned'] as const
export type FilterName = (typeof FILTER_NAMES)[number]

export function isFilterName(name: string): name is FilterName {
  return (FILTER_NAMES as readonly string[]).includes(name)
}

const NAMES = new RegExp(String.raw`(?<=^|[\s(])(${FILTER_NAMES.join('|')}):`, 'giu')

/** A text in which filter names are words. */
export function withoutFilterNames(text: string): string {
  return text.replace(NAMES, '$1 ')
}

export function isEmpty(filters: Filters): boolean {
  return Object.keys(filters).length === 0
}

type Read = (values: string[], now: number) => Filters | undefined

const MAX_PATH = 1000

function isPath(text: string): boolean {
  return text.length <= MAX_PATH
}

/** Paths are relative to the root: `./docs` and `/docs` are `docs`. A pattern is the whole path. */
function fromTop(path: string): string {
  const isPattern = /[*?]/.test(path)
  return path.replace(isPattern ? /^(?:\.\/+)+/ : /^(?:\.?\/+)+/, '') || path
}

/** Undefined for an invalid value. */
const READ: Record<FilterName, Read> = {
  type: (values) => known(NODE_TYPES, values, (types) => ({ types })),
  kind: (values) => known(DOCUMENT_KINDS, values, (kinds) => ({ kinds })),
  path: (values) => {
    const paths = values.map(fromTop)
    return paths.length > 0 && paths.every(isPath) ? { paths } : undefined
  },
  tag: (values) => {
    const tags = values.map(tagWord)
    return tags.length > 0 && !tags.includes('#') ? { tags } : undefined
  },
  since: (values, now) => {
    const since = values.length === 1 ? parseTime(values[0] ?? '', now) : undefined
    return since === undefined ? undefined : { since }
  },
  pinned: (values) => {
    const pinned = values.length === 1 ? ANSWERS.get((values[0] ?? '').toLowerCase()) : undefined
    return pinned === undefined ? undefined : { pinned }
  },
}

/** The valid form, for notes. */
export const FILTER_HELP: Record<FilterName, string> = {
  type: `a type is one of ${NODE_TYPES.join(', ')}`,
  kind: `a kind is one of ${DOCUMENT_KINDS.join(', ')}`,
  path: `a path of at most ${MAX_PATH} characters follows the colon`,
  tag: 'a tag follows the colon',
  since: 'write a date as 2026-01-31, or how long ago as 7d or 12h',
  pinned: 'write yes or no',
}

const ANSWERS = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
])

export function readFilter(name: FilterName, value: string, now: number): Filters | undefined {
  return READ[name](valuesOf(value), now)
}

/** Types, kinds and paths: any of them. Tags: all. Of several times the latest, of several flags the last. */
export function joinFilters(left: Filters, right: Filters): Filters {
  const joined: Filters = { ...left, ...right }
  if (left.types && right.types) joined.types = union(left.types, right.types)
  if (left.kinds && right.kinds) joined.kinds = union(left.kinds, right.kinds)
  if (left.paths && right.paths) joined.paths = union(left.paths, right.paths)
  if (left.tags && right.tags) joined.tags = union(left.tags, right.tags)
  if (left.any && right.any) joined.any = [...left.any, ...right.any]
  if (left.none && right.none) joined.none = [...left.none, ...right.none]
  if (left.since !== undefined && right.since !== undefined) joined.since = Math.max(left.since, right.since)
  return joined
}

function union<T>(left: readonly T[], right: readonly T[]): T[] {
  return [...new Set([...left, ...right])]
}

/** `a,"b c"` is two values. */
function valuesOf(text: string): string[] {
  const values = [...text.matchAll(/"([^"]*)"|[^",]+/g)].map(([whole, quoted]) => (quoted ?? whole).trim())
  return [...new Set(values)].filter((value) => value !== '')
}

function known<T extends string>(
  all: readonly T[],
  values: string[],
  make: (values: T[]) => Filters,
): Filters | undefined {
  const found = values.map((value) => all.find((one) => one === value.toLowerCase()))
  return found.length > 0 && !found.includes(undefined) ? make(found as T[]) : undefined
}
