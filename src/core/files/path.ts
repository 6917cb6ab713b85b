import type { Redact } from '../redact.ts'
import { FileError } from './errors.ts'

export const ROOT_PATH = '/'

const SEGMENT = /^[A-Za-z0-9_. -]+$/
/** Longer than any path that means something; a text that got into the wrong place is refused before it is looked at. */
const MAX_LENGTH = 4096

/**
 * The one form of a path: `/` in front, none behind, none doubled, no blanks around it. EINVAL says what is wrong with one that
 * has none.
 */
export function normalizePath(given: string): string {
  if (given.length > MAX_LENGTH)
    throw invalid(`invalid path: longer than ${MAX_LENGTH} characters; give a shorter one`)
  const trimmed = given.trim()
  if (trimmed === '') throw invalid('path is required')
  if (trimmed.includes('..')) throw invalid('invalid path: ".." not allowed')
  if (trimmed.includes('$')) throw invalid('invalid path: "$" not allowed')
  // Blanks before a slash at the end would be around the path that comes of it.
  const segments = trimmed
    .replace(/[\s/\\]+$/, '')
    .split(/[/\\]+/)
    .filter((segment) => segment !== '')
  const wrong = segments.find((segment) => !SEGMENT.test(segment))
  if (wrong !== undefined) throw invalid(`invalid path segment: ${wrong}`)
  return `/${segments.join('/')}`
}

/** A name with a secret in it would be stored for good; without the secret it could be the name of another file too. */
export function checkPathIsNoSecret(redact: Redact, path: string): void {
  if (redact(path) !== path)
    throw invalid('invalid path: it looks like a secret, which is not stored; give it another name')
}

/** The folders above a path, outermost first; the root is none: it is always there. */
export function foldersAbove(path: string): string[] {
  const segments = path.split('/').slice(1, -1)
  return segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`)
}

function invalid(message: string): FileError {
  return new FileError('EINVAL', message)
}
