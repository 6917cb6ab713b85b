import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isMemoryError, MemoryError } from '../../core/errors.ts'
import type { Memory, OpenOptions } from '../../runtime/memory/open-memory.ts'
import {
  findMemory,
  namedDatabaseFile,
  placesOf,
  refuseLinkedState,
  refuseUrl,
} from '../../runtime/places/places.ts'
import { rememberPlace } from '../../runtime/places/undo-creation.ts'
import { type LoadedConfig, loadConfig, toConfig } from '../../runtime/settings/config.ts'
import type { SettingName } from '../../runtime/settings/settings.ts'
import { writeLines } from '../../util/terminal/output.ts'
import { printable } from '../../util/text/printable.ts'
import type { Context, ExitCode, MemoryFlags } from './command.ts'
import { describeError } from './describe-error.ts'
import { namedMemory } from './which-memory.ts'

export type DatabaseOrigin = 'flag' | 'environment' | 'space' | 'found' | 'none'

/** Which database a command means, and why that one. */
export interface DatabaseChoice {
  file: string
  origin: DatabaseOrigin
}

export type SettingFlags = Partial<Record<SettingName, string | undefined>>

type Named = MemoryFlags & Pick<Context, 'cwd'>

/** The named database, else the nearest at or above the current folder; `none`: where a new one would be. */
export async function chooseDatabase(context: Named): Promise<DatabaseChoice> {
  const named = await namedDatabase(context)
  if (named) return named
  const found = findMemory(context.cwd)
  return found ? { file: found, origin: 'found' } : { file: placesOf(context.cwd).db, origin: 'none' }
}

/** As `chooseDatabase`, but from the compiled path: its own memory, else the nearest above it, else a new one. */
export async function chooseDatabaseFor(path: string, context: Named): Promise<DatabaseChoice> {
  const target = resolve(context.cwd, path)
  if (!existsSync(target)) throw new MemoryError('NOT_FOUND', `there is no file or folder ${path}`)
  const named = await namedDatabase(context)
  if (named) return named
  const folder = statSync(target).isDirectory() ? target : dirname(target)
  const file = findMemory(folder) ?? placesOf(folder).db
  return { file, origin: existsSync(file) ? 'found' : 'none' }
}

/** Where to create a memory: the named place, else the current folder, ignoring memories above it. */
export async function chooseNewDatabase(context: Named): Promise<DatabaseChoice> {
  const file = placesOf(context.cwd).db
  return (await namedDatabase(context)) ?? { file, origin: existsSync(file) ? 'found' : 'none' }
}

/** The memory that `--db` or `--spaces` and `--space` name, else the environment. */
export async function namedDatabase(context: Named): Promise<DatabaseChoice | undefined> {
  const named = namedMemory(context)
  if (named === undefined) return undefined
  if (named.kind === 'file') return fileNamed(named, context.cwd)
  const { findSpace } = await import('../../runtime/spaces/find-space.ts')
  const { files } = await findSpace(named.folder, named.space)
  return { file: files.db, origin: 'space' }
}

function fileNamed(
  { path, origin }: Pick<DatabaseChoice, 'origin'> & { path: string },
  cwd: string,
): DatabaseChoice {
  refuseUrl(path)
  const target = resolve(cwd, path)
  if (/[/\\]$/.test(path) && !existsSync(target))
    throw new MemoryError('NOT_FOUND', `there is no folder ${path}`)
  return { file: namedDatabaseFile(target), origin }
}

/** Every setting for a database, with those of the command line. */
export function settingsFor({ file }: DatabaseChoice, flags: SettingFlags = {}): LoadedConfig {
  const places = placesOf(file)
  refuseLinkedState(places)
  return loadConfig({ flags, stateFolder: places.stateFolder })
}

/** Opens an existing memory, gives it to `work` and closes it. */
export async function withMemory<T>(
  context: Context,
  work: (memory: Memory, settings: ReturnType<typeof toConfig>) => Promise<T>,
  flags: SettingFlags = {},
): Promise<T> {
  const choice = await chooseDatabase(context)
  if (!existsSync(choice.file)) throw noMemory(choice, context.cwd)
  return openFor(context, choice, { create: false, flags }, work)
}

export interface OpenFlags extends Pick<OpenOptions, 'onNotRemembered'> {
  flags?: SettingFlags
}

async function openFor<T>(
  { err }: Pick<Context, 'err'>,
  choice: DatabaseChoice,
  { create, flags = {}, ...others }: { create: boolean } & OpenFlags,
  work: (memory: Memory, settings: ReturnType<typeof toConfig>) => Promise<T>,
): Promise<T> {
  const settings = toConfig(settingsFor(choice, flags))
  const { openMemory } = await import('../../runtime/memory/open-memory.ts')
  try {
    // Flags are passed on as written: the other side parses them the same way.
    const given = { ...flags, author: settings.author }
    const ignored: unknown[] = []
    const migrations: string[] = []
    await using memory = await openMemory({
      ...{ db: choice.file, create, settings: given, ...others },
      ...(choice.origin === 'space' && { audit: {} }),
      onIgnoredSettings: (notice) => ignored.push(notice),
      onMigration: (backup) => migrations.push(migratedLine(backup)),
    })
    await writeLines(err, [...migrations, ...ignored.flatMap(describeError)])
    return await work(memory, settings)
  } catch (error) {
    throw withPath(error, choice.file)
  }
}

function migratedLine(backup: string): string {
  return `remindb: the database is of an older remindb and was brought up to date; a copy from before is ${printable(backup)}`
}

/**
 * As `openFor`, and makes the memory if there is none. Work that fails, and stores nothing, leaves no memory behind that
 * was not there before.
 */
export async function openNewFor(
  context: Pick<Context, 'err'>,
  choice: DatabaseChoice,
  options: OpenFlags,
  work: (memory: Memory) => Promise<ExitCode>,
): Promise<ExitCode> {
  const undoCreation = rememberPlace(choice.file)
  let isEmpty = true
  let code: ExitCode = 1
  try {
    code = await openFor(context, choice, { create: true, ...options }, async (memory) => {
      try {
        return await work(memory)
      } finally {
        isEmpty = (await memory.snapshots({ limit: 1 })).length === 0
      }
    })
    return code
  } finally {
    if (code !== 0 && isEmpty) undoCreation()
  }
}

function noMemory({ file, origin }: DatabaseChoice, cwd: string): MemoryError {
  const make = 'run `remindb compile <folder>` to make one'
  if (origin === 'none')
    return new MemoryError(
      'NOT_FOUND',
      `there is no memory in ${cwd} or above; ${make}, or name one with --db`,
    )
  const name = origin === 'flag' ? '--db' : 'REMINDB_DB'
  return new MemoryError('NOT_FOUND', `there is no memory at ${file}; ${make}, or check ${name}`)
}

/** These are about the database as a whole, and a person may have many. */
const ABOUT_DATABASE = new Set([
  'NEWER_DATABASE',
  'OLDER_DATABASE',
  'NOT_A_DATABASE',
  'CORRUPTED_DATA',
  'READ_ONLY',
  'UNAVAILABLE',
])

/** The same error, with the file that it is about. */
export function withPath(error: unknown, file: string): unknown {
  if (!isMemoryError(error) || !ABOUT_DATABASE.has(error.code)) return error
  return new MemoryError(error.code, `${file}: ${error.message}`, { cause: error })
}

/** A database as a person would name it: the folder that has it in its `.remindb`, else the file. */
export function shortName(file: string): string {
  const { db, home } = placesOf(file)
  return placesOf(home).db === db ? home : db
}
