import type { Redact } from '../redact.ts'
import { FileError } from './errors.ts'

export const ROOT_PATH = '/'

const SEGMENT = /^[A-Za-z0-9_. -]+$/
/** Longer than any useful path: a text in the wrong place is rejected before it is processed. */
const MAX_LENGTH = 4096

/**
 * The normal form of a path: a leading `/`, no trailing or doubled slashes, no blanks around it. EINVAL for an invalid
 * path.
 */
export function normalizePath(given: string): string {
  if (given.length > MAX_LENGTH)
    throw invalid(`invalid path: longer than ${MAX_LENGTH} characters; give a shorter one`)
  const trimmed = given.trim()
  if (trimmed === '') throw invalid('path is required')
  if (trimmed.includes('..')) throw invalid('invalid path: ".." not allowed')
  if (trimmed.includes('$')) throw invalid('invalid path: "$" not allowed')
  // Blanks before a trailing slash would end the normalised path.
  const segments = trimmed
    .replace(/[\s/\\]+$/, '')
    .split(/[/\\]+/)
    .filter((segment) => segment !== '')
  const wrong = segments.find((segment) => !SEGMENT.test(segment))
  if (wrong !== undefined) throw invalid(`invalid path segment: ${wrong}`)
  return `/${segments.join('/')}`
}

/** A name with a secret must not be stored; redacted, it could be the name of another file. */
export function checkPathHasNoSecret(redact: Redact, path: string): void {
  if (redact(path) !== path)
    throw invalid('invalid path: it looks like a secret, which is not stored; give it another name')
}

/** The folders above a path, outermost first, without the root. */
export function foldersAbove(path: string): string[] {
  const segments = path.split('/').slice(1, -1)
  return segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`)
}

function invalid(message: string): FileError {
  return new FileError('EINVAL', message)
}
