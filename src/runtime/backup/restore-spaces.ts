import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Space } from '../../core/accounts/model.ts'
import type { KnownEnd } from '../../core/audit/verify.ts'
import { MemoryError } from '../../core/errors.ts'
import { alone } from '../../store/sqlite/health/alone.ts'
import { copyAsIs } from '../../store/sqlite/health/copy.ts'
import { createBreath } from '../../util/breathing.ts'
import { isLeftBehind } from '../../util/files/left-behind.ts'
import { realOrSame } from '../../util/files/paths.ts'
import { syncFile, syncFolder } from '../../util/files/sync.ts'
import { copyChecked } from '../memory/copy-checked.ts'
import { accountsFile, openAccounts } from '../spaces/accounts.ts'
import { findRestoring, type Restoring, restoringFile } from '../spaces/interrupted.ts'
import { spaceFiles } from '../spaces/space-files.ts'
import { copyAuditHead } from '../upkeep/audit-head.ts'
import { checkManifest } from './manifest.ts'
import { keepEnd, keptEnd, recordRestored } from './restored-audit.ts'
import { copySettings, copySpace } from './space-copies.ts'

export interface RestoreSpacesInput {
  /** The folder to restore from. It stays as it is. */
  backup: string
  dir: string
  now: number
  /** In spaces. */
  onProgress?: (state: { done: number; total: number }) => void
  /** Whoever wanted it no longer does: then nothing is changed. */
  signal?: AbortSignal
}

export interface RestoredSpaces {
  dir: string
  /** Where what was there before is; null: nothing was. */
  aside: string | null
  spaces: number
  /** An earlier restore was finished; nothing else was done. */
  isFinished: boolean
}

/** Others get a turn after this much work. */
const WORK_MS = 10

/** What a folder of spaces consists of, in the order in which it is replaced. */
const PARTS = ['spaces', 'unlisted', '.remindb', 'audit-head.json', 'auth.db']

/**
 * Puts a copy of a backup in the place of accounts and spaces, which are kept in a folder with the time in its name. Every
 * database is checked first. Throws, and changes nothing, where another process has one open. A process that is killed leaves
 * the old state, the new one, or a note by which the next call finishes: see `refuseInterrupted`.
 */
export async function restoreSpaces(input: RestoreSpacesInput): Promise<RestoredSpaces> {
  const { backup, now } = input
  const dir = realOrSame(input.dir)
  const interrupted = findRestoring(dir)
  if (interrupted) return finishEarlier(dir, interrupted, backup)
  refuseBackup(backup, dir)
  await checkManifest(backup)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  removeLeftovers(dir)
  const restoring: Restoring = {
    backup,
    staged: `.restoring.${process.pid}.${crypto.randomUUID()}`,
    aside: `before-restore-${new Date(now).toISOString().replaceAll(':', '-')}`,
  }
  const staged = join(dir, restoring.staged)
  const spaces = await stage({ ...input, dir }, staged)
  const wasThere = existsSync(accountsFile(dir))
  try {
    if (wasThere) await whileUnused(dir, () => put(dir, restoring))
    else put(dir, restoring)
  } finally {
    // Refused. Once the note is there, what is staged is needed to finish.
    if (!findRestoring(dir)) rmSync(staged, { recursive: true, force: true })
  }
  const aside = wasThere ? join(dir, restoring.aside) : null
  return { dir, aside, spaces: spaces.length, isFinished: false }
}

/** What a restore staged whose process died before it moved anything. */
function removeLeftovers(dir: string): void {
  for (const name of readdirSync(dir)) {
    const [, pid] = /^\.restoring\.(\d+)\./.exec(name) ?? []
    if (pid !== undefined && isLeftBehind(join(dir, name), Number(pid)))
      rmSync(join(dir, name), { recursive: true, force: true })
  }
}

function refuseBackup(backup: string, dir: string): void {
  if (!statSync(backup, { throwIfNoEntry: false })?.isDirectory())
    throw new MemoryError('NOT_FOUND', `there is no folder ${backup}`)
  if (!existsSync(accountsFile(backup)))
    throw new MemoryError('NOT_FOUND', `${backup} is not a backup of spaces: it has no auth.db`)
  if (realOrSame(backup) === dir)
    throw new MemoryError('INVALID_INPUT', `${backup} is the folder of spaces itself; name a backup of it`)
}

async function stage(input: RestoreSpacesInput, staged: string): Promise<Space[]> {
  const { backup, onProgress, signal } = input
  for (const folder of [staged, join(staged, 'spaces'), join(staged, 'unlisted')])
    mkdirSync(folder, { mode: 0o700 })
  try {
    copyAuditHead(backup, staged)
    copyAsIs(accountsFile(backup), accountsFile(staged))
    const spaces = await restoredSpaces(staged, keptEnd(input.dir))
    copySettings(backup, staged)
    const breath = createBreath(WORK_MS, signal)
    for (const [at, space] of spaces.entries()) {
      await breath()
      onProgress?.({ done: at, total: spaces.length })
      await stageSpace(space, input, staged)
    }
    for (const folder of [join(staged, 'spaces'), staged]) syncFolder(folder)
    return spaces
  } catch (error) {
    rmSync(staged, { recursive: true, force: true })
    throw error
  }
}

async function stageSpace(
  space: Space,
  { backup, dir, now }: RestoreSpacesInput,
  staged: string,
): Promise<void> {
  const { folder } = spaceFiles(staged, space.id)
  await copySpace(space, { from: backup, to: staged }, async (db, copy) => {
    const { isNewest } = await copyChecked(db, copy, { name: `the space "${space.name}" of the backup` })
    const replaced = keptEnd(spaceFiles(dir, space.id).folder)
    // Before there was an audit, the schema was an older one.
    const restored = { db: copy, kept: keptEnd(folder), replaced, now }
    await keepEnd(folder, isNewest ? await recordRestored(restored) : undefined)
  })
  syncFolder(folder)
}

/** The spaces of restored accounts, in whose audit it is recorded that they were restored. */
async function restoredSpaces(staged: string, replaced: KnownEnd | undefined): Promise<Space[]> {
  const accounts = await openAccounts(staged, { create: false })
  try {
    await accounts.audit.restored(replaced)
    return await accounts.spaces.list()
  } finally {
    await accounts.close()
  }
}

async function spacesIn(dir: string): Promise<Space[]> {
  const accounts = await openAccounts(dir, { create: false })
  try {
    return await accounts.spaces.list()
  } finally {
    await accounts.close()
  }
}

/** With the accounts locked nobody finds a space; then nobody may have one open already. */
async function whileUnused(dir: string, work: () => void): Promise<void> {
  const spaces = await spacesOrNone(dir)
  alone(accountsFile(dir), () => {
    for (const { id } of spaces) {
      const { db } = spaceFiles(dir, id)
      const isMaybeOpen = ['-wal', '-shm', '-journal'].some((end) => existsSync(`${db}${end}`))
      if (isMaybeOpen && existsSync(db)) alone(db, () => undefined)
    }
    work()
  })
}

/** Damaged accounts may be why a backup is restored. */
async function spacesOrNone(dir: string): Promise<Space[]> {
  try {
    return await spacesIn(dir)
  } catch {
    return []
  }
}

/** From the note on, there is only one way: forward. */
function put(dir: string, restoring: Restoring): void {
  const note = restoringFile(dir)
  const part = `${note}.part`
  writeFileSync(part, JSON.stringify(restoring), { mode: 0o600 })
  syncFile(part)
  renameSync(part, note)
  syncFolder(dir)
  finish(dir, restoring)
}

/** Can be repeated: what was put in place is no longer staged. */
function finish(dir: string, { staged, aside }: Restoring): void {
  mkdirSync(join(dir, aside), { recursive: true, mode: 0o700 })
  for (const name of PARTS.filter((part) => existsSync(join(dir, staged, part)))) {
    // A database that was too damaged to be locked may still have journals.
    for (const present of [name, `${name}-wal`, `${name}-shm`, `${name}-journal`])
      if (existsSync(join(dir, present))) renameSync(join(dir, present), join(dir, aside, present))
    renameSync(join(dir, staged, name), join(dir, name))
  }
  syncFolder(dir)
  rmSync(join(dir, staged), { recursive: true, force: true })
  removeIfEmpty(join(dir, aside))
  rmSync(restoringFile(dir))
  syncFolder(dir)
}

async function finishEarlier(dir: string, restoring: Restoring, backup: string): Promise<RestoredSpaces> {
  if (realOrSame(restoring.backup) !== realOrSame(backup))
    throw new MemoryError(
      'CONFLICT',
      `the restore of ${restoring.backup} was interrupted; finish it first, with the same command as before`,
    )
  finish(dir, restoring)
  const aside = join(dir, restoring.aside)
  const { length } = await spacesIn(dir)
  return { dir, aside: existsSync(aside) ? aside : null, spaces: length, isFinished: true }
}

/** Nothing was there before. */
function removeIfEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}
