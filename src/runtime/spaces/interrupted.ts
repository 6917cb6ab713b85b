import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MemoryError } from '../../core/errors.ts'

/** A restore that has begun to move folders: until all are moved, `dir` is half old and half new. */
export interface Restoring {
  /** Where the backup was. */
  backup: string
  /** Folders in `dir`: with what is to be put in place, and for what was there before. */
  staged: string
  aside: string
}

export function restoringFile(dir: string): string {
  return join(dir, 'restoring.json')
}

export function findRestoring(dir: string): Restoring | undefined {
  const file = restoringFile(dir)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Restoring) : undefined
}

/** Throws while a restore has to be finished first. */
export function refuseInterrupted(dir: string): void {
  const restoring = findRestoring(dir)
  if (!restoring) return
  throw new MemoryError(
    'UNAVAILABLE',
    `a restore of ${dir} was interrupted; finish it with \`remindb backup restore ${restoring.backup} --spaces ${dir}\``,
  )
}
