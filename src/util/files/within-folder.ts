import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { hasCode } from '../error-code.ts'
import { isInside } from './paths.ts'

/** Windows has neither: there the checks before and after opening must do. */
const NO_LINK = constants.O_NOFOLLOW ?? 0
/** Does not wait for the other end of a pipe. */
const NO_WAIT = constants.O_NONBLOCK ?? 0

/** A symbolic link where none is followed. */
export class LinkError extends Error {
  override readonly name = 'LinkError'
  /** The system's code. */
  readonly code = 'ELOOP'

  constructor(path: string) {
    super(`${path} is a symbolic link, and none is followed here; put the file or folder itself in its place`)
  }
}

/** Throws when `folder`, `path` or anything between them is a symbolic link. Above `folder` links are followed. */
export function refuseLinks(folder: string, path: string): void {
  if (!isInside(folder, path)) throw new Error(`${path} is not inside ${folder}`)
  for (let at = path; ; at = dirname(at)) {
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) throw new LinkError(at)
    if (at === folder) return
  }
}

/**
 * Opens a regular file in an untrusted folder: no link in it makes us read or write elsewhere. Creates it, readable by
 * its owner only, if `flags` request it.
 */
export function openWithin(folder: string, path: string, flags: number): number {
  refuseLinks(folder, path)
  const handle = openSync(path, flags | NO_LINK | NO_WAIT, 0o600)
  try {
    // Again: this checks what was opened.
    refuseLinks(folder, path)
    if (!fstatSync(handle).isFile()) throw new Error(`${path} is not a regular file`)
    return handle
  } catch (error) {
    closeSync(handle)
    throw error
  }
}

/** Creates a folder, accessible by its owner only, and none above it; an existing one is fine. */
export function makeFolderWithin(folder: string, path: string): void {
  refuseLinks(folder, path)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process was faster.
    if (!hasCode(error, 'EEXIST')) throw error
  }
}
