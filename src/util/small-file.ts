import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { isAbsence } from './absence.ts'
import { formatSize } from './terminal-units.ts'

const MAX_BYTES = 1024 * 1024

/** Without waiting for the other end of a pipe. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * The text of a file that a person wrote by hand; undefined when there is none. Throws an error whose message says what is
 * wrong with it, as the tail of "<name> …".
 */
export function readSmallFile(path: string, maxBytes = MAX_BYTES): string | undefined {
  const handle = openIfThere(path)
  if (handle === undefined) return undefined
  try {
    const stats = fstatSync(handle)
    if (!stats.isFile()) throw new Error('is not a file')
    if (stats.size > maxBytes)
      throw new Error(`is too large (${formatSize(stats.size)} > ${formatSize(maxBytes)})`)
    return readFileSync(handle, 'utf8')
  } finally {
    closeSync(handle)
  }
}

function openIfThere(path: string): number | undefined {
  try {
    // Settings are looked up with every call, and mostly there is no file: an error would cost more than all the rest.
    if (!statSync(path, { throwIfNoEntry: false })) return undefined
    return openSync(path, OPEN_FLAGS)
  } catch (error) {
    if (isAbsence(error)) return undefined
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    throw new Error(`cannot be read (${code})`, { cause: error })
  }
}
