import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { formatSize } from '../text/units.ts'
import { isAbsence } from './absence.ts'
import { LinkError, openWithin } from './within-folder.ts'

const MAX_BYTES = 1024 * 1024

/** Does not wait for the other end of a pipe. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

export interface SmallFileOptions {
  maxBytes?: number
  /** A folder that may be untrusted: from there on no symbolic link is followed. Default: every link is. */
  within?: string
}

/**
 * The text of a file written by hand; undefined if there is none. Throws an error whose message completes "<name> …".
 */
export function readSmallFile(
  path: string,
  { maxBytes = MAX_BYTES, within }: SmallFileOptions = {},
): string | undefined {
  const handle = openIfExists(path, within)
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

function openIfExists(path: string, within: string | undefined): number | undefined {
  const look = within === undefined ? statSync : lstatSync
  try {
    // Settings are read with every call, and mostly there is no file: an exception would cost more than all the rest.
    const found = look(path, { throwIfNoEntry: false })
    if (!found) return undefined
    return within === undefined || found.isDirectory()
      ? openSync(path, OPEN_FLAGS)
      : openWithin(within, path, constants.O_RDONLY)
  } catch (error) {
    if (error instanceof LinkError)
      throw new Error('is a symbolic link, or in a folder that is one; put the file itself there', {
        cause: error,
      })
    if (isAbsence(error)) return undefined
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    throw new Error(code === undefined ? 'is not a file' : `cannot be read (${code})`, { cause: error })
  }
}
