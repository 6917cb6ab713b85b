import { closeSync, linkSync, lstatSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { hasCode } from '../error-code.ts'
import { type PartKind, partName, removeLeftParts } from './part-file.ts'
import { syncFile, syncFolder } from './sync.ts'

/**
 * Makes a file that has its name only when it is whole and on disk, for its owner only; a name that is taken is refused (`EEXIST`).
 * `fill` gets the name that it has until then, in the same folder: if this process dies, the next file of this kind that is made
 * there removes it.
 */
export function makeNewFile(file: string, kind: PartKind, fill: (part: string) => void): void {
  if (lstatSync(file, { throwIfNoEntry: false })) throw nameTaken()
  const folder = dirname(file)
  const part = partName(file, kind)
  closeSync(openSync(part, 'wx', 0o600))
  try {
    removeLeftParts(folder, readdirSync(folder), kind)
    fill(part)
    syncFile(part)
    giveName(part, file)
  } finally {
    rmSync(part, { force: true })
  }
  syncFolder(folder)
}

/** Renaming would replace what another process has put there meanwhile; linking does not. */
function giveName(part: string, file: string): void {
  try {
    linkSync(part, file)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw error
    // Not every file system has links.
    if (lstatSync(file, { throwIfNoEntry: false })) throw nameTaken(error)
    renameSync(part, file)
  }
}

function nameTaken(cause?: unknown): Error {
  return Object.assign(new Error('there is a file of that name already', { cause }), { code: 'EEXIST' })
}
