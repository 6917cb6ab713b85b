import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Accounts } from '../../core/accounts/accounts.ts'
import { isAbsence } from '../../util/files/absence.ts'
import { isLeftBehind } from '../../util/files/left-behind.ts'
import { realOrSame } from '../../util/files/paths.ts'
import { makeFolderWithin } from '../../util/files/within-folder.ts'
import { spaceFiles } from './space-files.ts'

/** The folder of spaces, and who is in it. */
export interface SpacesDeps {
  dir: string
  accounts: Accounts
}

/**
 * Notes that the files of this space are there and its row may not be: it is being created or deleted. If this process dies,
 * `removeLeftovers` removes files without a row. Nothing else does: after an older `auth.db` was put back by hand, files
 * without a row may be all that is left of a space.
 */
export function noteUnlisted(dir: string, spaceId: string): void {
  makeFolderWithin(realOrSame(dir), notesOf(dir))
  writeFileSync(join(notesOf(dir), spaceId), `${process.pid}\n`, { mode: 0o600 })
}

export function clearUnlisted(dir: string, spaceId: string): void {
  rmSync(join(notesOf(dir), spaceId), { force: true })
}

export function removeFiles(dir: string, spaceId: string): void {
  rmSync(spaceFiles(dir, spaceId).folder, { recursive: true, force: true })
}

/** Removes what processes left that died while they created or deleted a space. */
export async function removeLeftovers({ dir, accounts }: SpacesDeps): Promise<void> {
  const left = notedIn(dir).filter((id) => isLeftBehind(join(notesOf(dir), id), pidIn(dir, id)))
  if (left.length === 0) return
  const listed = new Set((await accounts.spaces.list()).map(({ id }) => id))
  for (const id of left) {
    if (!listed.has(id)) removeFiles(dir, id)
    clearUnlisted(dir, id)
  }
}

function notesOf(dir: string): string {
  return join(realOrSame(dir), 'unlisted')
}

function notedIn(dir: string): string[] {
  try {
    return readdirSync(notesOf(dir))
  } catch (error) {
    if (isAbsence(error)) return []
    throw error
  }
}

/** 0 where it cannot be told: no process has that id. */
function pidIn(dir: string, id: string): number {
  try {
    return Number(readFileSync(join(notesOf(dir), id), 'utf8')) || 0
  } catch {
    // Another process has just cleared it.
    return 0
  }
}
