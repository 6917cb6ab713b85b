import { resolve } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { environmentDb, environmentSpace } from '../../runtime/settings/config.ts'
import { type Context, type MemoryFlags, UsageError } from './command.ts'

/** A memory named by the user: a database by its path, or a space. */
export type NamedMemory =
  | { kind: 'file'; path: string; origin: 'flag' | 'environment' }
  /** `space`: undefined for the only one of the folder. */
  | { kind: 'space'; folder: string; space: string | undefined }

type Flags = MemoryFlags & Pick<Context, 'cwd'>

/** The memory that the flags name, else the environment. Undefined: neither does. It may not exist. */
export function namedMemory(flags: Flags): NamedMemory | undefined {
  const { db, spaces, space } = flags
  if (db !== undefined) {
    const other = spaces !== undefined ? '--spaces' : space !== undefined ? '--space' : undefined
    if (other) throw new UsageError(`--db and ${other} both name a memory; give only one`)
    return { kind: 'file', path: db, origin: 'flag' }
  }
  if (spaces !== undefined || space !== undefined) return namedSpace(flags)
  return namedByEnvironment(flags)
}

/** The folder of spaces, for commands about the whole folder. */
export function spacesFolder({ spaces, cwd }: Pick<Flags, 'spaces' | 'cwd'>): string {
  const folder = spaces ?? environmentSpace().spaces
  if (folder !== undefined) return resolve(cwd, folder)
  throw new UsageError('which spaces? Name their folder with --spaces DIR, or in REMINDB_SPACES')
}

function namedSpace(flags: Flags): NamedMemory {
  return { kind: 'space', folder: spacesFolder(flags), space: flags.space ?? environmentSpace().space }
}

function namedByEnvironment(flags: Flags): NamedMemory | undefined {
  const path = environmentDb()
  const { spaces, space } = environmentSpace()
  const name = spaces !== undefined ? 'REMINDB_SPACES' : 'REMINDB_SPACE'
  if (spaces === undefined && space === undefined)
    return path === undefined ? undefined : { kind: 'file', path, origin: 'environment' }
  if (path !== undefined)
    throw new MemoryError('INVALID_INPUT', `REMINDB_DB and ${name} both name a memory; unset one of them`)
  if (spaces === undefined)
    throw new MemoryError(
      'INVALID_INPUT',
      'REMINDB_SPACE names a space; set REMINDB_SPACES to its folder, too',
    )
  return namedSpace(flags)
}
