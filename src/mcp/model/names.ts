import { MemoryError } from '../../core/errors.ts'
import { decode, parseQuery, splitOnce } from './uri.ts'

/** `memory://` has the resources of two doors: views of records, and keys. This file decides which name belongs to which. */
const SCHEME = 'memory://'

export const RECORD_VIEWS = ['recent', 'core', 'learnings', 'tasks/active', 'tasks/completed'] as const
export type RecordView = (typeof RECORD_VIEWS)[number]

/** The filters that every view of records accepts. */
const VIEW_VARIABLES = ['limit', 'since', 'tags'] as const
const QUERY = `{?${VIEW_VARIABLES.join(',')}}`

/** As clients are shown them; the URI of the resource that a name is read from. */
export const MEMORY_INDEX = `${SCHEME}_index`
export const KEY_TEMPLATE = `${SCHEME}{key}`
/** A key whose name is taken: the underscore is the reserved namespace. */
export const RESERVED_KEY_TEMPLATE = `${SCHEME}_key/{key}`
export const CUSTOM_VIEW_TEMPLATE = `${SCHEME}custom/{view}${QUERY}`

export function uriOfView(view: RecordView): string {
  return SCHEME + view
}

/** The template of a view that is narrowed. */
export function narrowedView(view: RecordView): string {
  return uriOfView(view) + QUERY
}

/** Where a custom view is read. */
export function uriOfCustomView(view: string): string {
  return `${SCHEME}custom/${encodeSegment(view)}`
}

/** Where a key is read, and how it is listed. Every key has one, and no two have the same. */
export function uriOfKey(key: string): string {
  const isTaken = key.startsWith('_') || RECORD_VIEWS.some((view) => view === key)
  return `${SCHEME}${isTaken ? '_key/' : ''}${encodeSegment(key)}`
}

/** The meaning of a `memory://` URI. */
export interface MemoryName {
  /** The door that it belongs to. */
  kind: 'index' | 'view' | 'custom' | 'key'
  /** The `uri` of the resource that it is read from. */
  template: string
  /** Decoded, once: `key`; `view`; and the query parameters that were given. */
  variables: Record<string, string>
}

export function isMemoryUri(uri: string): boolean {
  return uri.startsWith(SCHEME)
}

/**
 * Undefined: there is no such name. It does not check whether the key or custom view exists. Throws INVALID_INPUT for
 * a URI that cannot be decoded, and for a query that a view cannot have.
 */
export function findMemoryName(uri: string): MemoryName | undefined {
  if (!isMemoryUri(uri)) return undefined
  const [path = '', query] = splitOnce(uri.slice(SCHEME.length), '?')
  if (!path.isWellFormed()) throw new MemoryError('INVALID_INPUT', 'the URI contains half a surrogate pair')
  const segments = path.split('/').map(decode)
  return findView(segments, query) ?? (query === undefined ? findKey(segments) : undefined)
}

function findView(segments: string[], query: string | undefined): MemoryName | undefined {
  // Segment by segment: the key `tasks/active` has one.
  const view = RECORD_VIEWS.find((name) => isSame(name.split('/'), segments))
  if (view) {
    const variables = variablesOf(query)
    const isNarrowed = Object.keys(variables).length > 0
    return { kind: 'view', template: isNarrowed ? narrowedView(view) : uriOfView(view), variables }
  }
  const [first, custom, ...rest] = segments
  if (first !== 'custom' || !custom || rest.length > 0) return undefined
  return {
    kind: 'custom',
    template: CUSTOM_VIEW_TEMPLATE,
    variables: { ...variablesOf(query), view: custom },
  }
}

function findKey([first = '', second, ...rest]: string[]): MemoryName | undefined {
  if (rest.length > 0) return undefined
  if (second !== undefined)
    return first === '_key' && second !== '' ? keyName(RESERVED_KEY_TEMPLATE, second) : undefined
  if (first === '_index') return { kind: 'index', template: MEMORY_INDEX, variables: {} }
  return first === '' || first.startsWith('_') ? undefined : keyName(KEY_TEMPLATE, first)
}

function keyName(template: string, key: string): MemoryName {
  return { kind: 'key', template, variables: { key } }
}

function variablesOf(query: string | undefined): Record<string, string> {
  return parseQuery(query ?? '', new Set(VIEW_VARIABLES))
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, at) => part === other[at])
}

/** All but letters, digits and `-_.~`. A database turns half a surrogate pair into U+FFFD. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
