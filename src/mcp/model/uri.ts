import { MemoryError } from '../../core/errors.ts'
import type { Resource } from './resource.ts'

/**
 * The part of RFC 6570 that our resources use: `{name}` is one segment of the path, `{?a,b}` are variables of the query,
 * each of which may be missing, in any order.
 */
interface Template {
  /** Segments of the path: literal, or a variable. */
  segments: ({ text: string } | { name: string })[]
  query: string[]
}

export interface FoundResource {
  resource: Resource
  /** The given variables, decoded; an empty one counts as missing. */
  variables: Record<string, string>
}

const MAX_SHOWN = 80

export function isTemplate(uri: string): boolean {
  return uri.includes('{')
}

/** Creates the finder for these resources: undefined if none has this path; throws INVALID_INPUT for a query it cannot have. */
export function createFinder(resources: readonly Resource[]): (uri: string) => FoundResource | undefined {
  const known = resources.map((resource) => ({ resource, template: parseTemplate(resource.uri) }))
  const mostSegments = Math.max(...known.map(({ template }) => template.segments.length))
  return (uri) => {
    const [path = '', query] = splitOnce(uri, '?')
    // One more than any resource has: a client may send millions.
    const parts = path.split('/', mostSegments + 1)
    const candidates = known.flatMap(({ resource, template }) => {
      const inPath = matchPath(template, parts)
      return inPath ? [{ resource, template, inPath }] : []
    })
    if (candidates.length === 0) return undefined
    const inQuery = parseQuery(query ?? '', new Set(candidates.flatMap(({ template }) => template.query)))
    const found = candidates.find(({ template }) => hasAll(template.query, inQuery))
    if (!found) throw notTogether(inQuery)
    return { resource: found.resource, variables: { ...decodeAll(found.inPath), ...inQuery } }
  }
}

/** The URI of a template with these variables; missing query parameters are left out. */
export function expandUri(uri: string, variables: Record<string, string>): string {
  const { segments, query } = parseTemplate(uri)
  const path = segments.map((part) =>
    'text' in part ? part.text : encodeURIComponent(variables[part.name] ?? ''),
  )
  const pairs = query.flatMap((name) => {
    const value = variables[name]
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
  })
  return path.join('/') + (pairs.length > 0 ? `?${pairs.join('&')}` : '')
}

function parseTemplate(uri: string): Template {
  const [path = '', query] = splitOnce(uri, '{?')
  return {
    segments: path.split('/').map((text) => (text.startsWith('{') ? { name: text.slice(1, -1) } : { text })),
    query: query === undefined ? [] : query.slice(0, -1).split(','),
  }
}

/** The variables of the path in their order. */
function matchPath({ segments }: Template, parts: readonly string[]): Record<string, string> | undefined {
  if (parts.length !== segments.length) return undefined
  const values: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const part = parts[at] as string
    if ('name' in segment) values[segment.name] = part
    else if (segment.text !== part) return undefined
  }
  return values
}

/** The variables of a query that have a value. Throws INVALID_INPUT for one that is unknown or given twice. */
export function parseQuery(query: string, known: ReadonlySet<string>): Record<string, string> {
  const values: Record<string, string> = {}
  const seen = new Set<string>()
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const [rawName = '', rawValue = ''] = splitOnce(pair, '=')
    const name = decode(rawName)
    if (!known.has(name)) throw unknownVariable(name, known)
    if (seen.has(name)) throw new MemoryError('INVALID_INPUT', `${name} is given twice; give it once`)
    seen.add(name)
    if (rawValue !== '') values[name] = decode(rawValue)
  }
  return values
}

function hasAll(names: readonly string[], values: Record<string, string>): boolean {
  return Object.keys(values).every((name) => names.includes(name))
}

/** Without empty ones. */
function decodeAll(values: Record<string, string>): Record<string, string> {
  const given = Object.entries(values).filter(([, value]) => value !== '')
  return Object.fromEntries(given.map(([name, value]) => [name, decode(value)]))
}

/** Percent-decoding, once; a `+` is a plus. Throws INVALID_INPUT. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    const message = `malformed percent-encoding in "${short(text)}"; encode each value as UTF-8 (RFC 3986)`
    throw new MemoryError('INVALID_INPUT', message, { cause: error })
  }
}

function unknownVariable(name: string, known: ReadonlySet<string>): MemoryError {
  const names = [...known].join(', ')
  const advice = names === '' ? 'this resource has none' : `known: ${names}`
  return new MemoryError('INVALID_INPUT', `unknown variable "${short(name)}"; ${advice}`)
}

function notTogether(values: Record<string, string>): MemoryError {
  const names = Object.keys(values).join(', ')
  return new MemoryError('INVALID_INPUT', `no resource accepts ${names} together; omit one`)
}

export function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)]
}

/** Client input, for a message. */
export function short(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
