import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Accounts } from '../../core/accounts/accounts.ts'
import type { Space } from '../../core/accounts/model.ts'
import { MemoryError } from '../../core/errors.ts'
import { alone } from '../../store/sqlite/health/alone.ts'
import { copyDatabase } from '../../store/sqlite/health/copy.ts'
import { createBreath } from '../../util/breathing.ts'
import { isLeftBehind } from '../../util/files/left-behind.ts'
import { isInside, realOrSame } from '../../util/files/paths.ts'
import { syncFolder } from '../../util/files/sync.ts'
import { accountsFile, openAccounts } from '../spaces/accounts.ts'
import { aboutSpace } from '../spaces/space-files.ts'
import { removeFiles } from '../spaces/unlisted.ts'
import { copyAuditHead } from '../upkeep/audit-head.ts'
import { writeManifest } from './manifest.ts'
import { copySettings, copySpace } from './space-copies.ts'

export interface BackupSpacesInput {
  dir: string
  /** A folder that is not there yet. Default: beside `dir`, under a name with the time. */
  target?: string | undefined
  now: number
  /** In spaces. */
  onProgress?: (state: { done: number; total: number }) => void
  /** Whoever wanted it no longer does: then nothing is written. */
  signal?: AbortSignal
}

export interface SpacesBackup {
  folder: string
  bytes: number
  spaces: number
}

/** Others get a turn after this much work. */
const WORK_MS = 10

const PART = /\.(\d+)\.[^.]+\.backup-folder$/

export function backupFolderName(now: number): string {
  return `remindb-backup-${new Date(now).toISOString().replaceAll(':', '-')}`
}

/**
 * Copies accounts and every space into a folder with the same layout, while they are in use. Every space that the copy of the
 * accounts knows is in it, as it was at one moment. The folder has its name only when it is whole.
 */
export async function backupSpaces(input: BackupSpacesInput): Promise<SpacesBackup> {
  const { dir, now } = input
  const accounts = await openAccounts(dir, { create: false })
  try {
    const folder = input.target ?? join(dirname(realOrSame(dir)), backupFolderName(now))
    refuseTarget(dir, folder)
    const part = makePart(folder)
    try {
      const spaces = await copyAll(accounts, { ...input, part })
      const { files } = await writeManifest(part, { spaces, now })
      giveName(part, folder)
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
      return { folder, bytes, spaces: spaces.length }
    } finally {
      rmSync(part, { recursive: true, force: true })
    }
  } finally {
    await accounts.close()
  }
}

/** Accounts last, so that a key revoked meanwhile is revoked in the copy. */
async function copyAll(
  accounts: Accounts,
  { dir, part, onProgress, signal }: BackupSpacesInput & { part: string },
): Promise<{ id: string; name: string }[]> {
  const copied = new Set<string>()
  const breath = createBreath(WORK_MS, signal)
  const folders = { from: dir, to: part }
  copySettings(dir, part)
  const spaces = await accounts.spaces.list()
  for (const [at, space] of spaces.entries()) {
    await breath()
    if (await copyIfThere(accounts, space, folders)) copied.add(space.id)
    onProgress?.({ done: at + 1, total: spaces.length })
  }
  const listed = await copyAccounts(accounts, { folders, copied })
  for (const { id } of listed) copied.delete(id)
  for (const id of copied) removeFiles(part, id)
  return listed.map(({ id, name }) => ({ id, name }))
}

/** `false`: it was deleted meanwhile. */
async function copyIfThere(
  accounts: Accounts,
  space: Space,
  folders: { from: string; to: string },
): Promise<boolean> {
  try {
    await copySpace(space, folders, copyDatabase)
    return true
  } catch (error) {
    const isListed = (await accounts.spaces.list()).some(({ id }) => id === space.id)
    removeFiles(folders.to, space.id)
    if (!isListed) return false
    throw error instanceof MemoryError ? aboutSpace(space.name, error) : error
  }
}

/** Returns the spaces that the copy knows. What was created meanwhile is copied too, and what is gone again is taken out. */
async function copyAccounts(
  accounts: Accounts,
  { folders, copied }: { folders: { from: string; to: string }; copied: ReadonlySet<string> },
): Promise<Space[]> {
  const file = accountsFile(folders.to)
  copyAuditHead(folders.from, folders.to)
  await accounts.backup(file)
  const copy = await openAccounts(folders.to, { create: false })
  try {
    for (const space of await copy.spaces.list())
      if (!copied.has(space.id) && !(await copyIfThere(accounts, space, folders)))
        await copy.spaces.delete(space.name)
    return await copy.spaces.list()
  } finally {
    await copy.close()
    // Without a journal: it can then be read where nothing can be written.
    alone(file, () => undefined)
  }
}

function refuseTarget(dir: string, folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false }))
    throw new MemoryError(
      'CONFLICT',
      `there is a file or folder ${folder} already; choose another name for the backup`,
    )
  if (!existsSync(dirname(folder)))
    throw new MemoryError('NOT_FOUND', `there is no folder ${dirname(folder)}; create it first`)
  if (isInside(realOrSame(dir), realOrSame(folder)))
    throw new MemoryError(
      'INVALID_INPUT',
      `a backup is not kept in the folder that it is of; choose one outside ${dir}`,
    )
}

function makePart(folder: string): string {
  const parent = dirname(folder)
  for (const name of readdirSync(parent)) {
    const [, pid] = PART.exec(name) ?? []
    if (pid !== undefined && isLeftBehind(join(parent, name), Number(pid)))
      rmSync(join(parent, name), { recursive: true, force: true })
  }
  const part = join(parent, `.${basename(folder)}.${process.pid}.${crypto.randomUUID()}.backup-folder`)
  mkdirSync(part, { mode: 0o700 })
  return part
}

function giveName(part: string, folder: string): void {
  for (const entry of readdirSync(part, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) syncFolder(join(entry.parentPath, entry.name))
  syncFolder(part)
  renameSync(part, folder)
  syncFolder(dirname(folder))
}
