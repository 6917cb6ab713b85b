import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Space } from '../../core/accounts/model.ts'
import { readSmallFile } from '../../util/files/small-file.ts'
import { STATE_FOLDER } from '../places/places.ts'
import { spaceFiles } from '../spaces/space-files.ts'
import { copyAuditHead } from '../upkeep/audit-head.ts'

/** What people write themselves. Logs and sessions are of the server that wrote them, and not copied. */
const SETTINGS = ['config.json', 'ignore', 'temperatures.json']

/** Copies a space with its settings from one folder of spaces to another; `copy` copies the database. */
export async function copySpace<T>(
  { id }: Pick<Space, 'id'>,
  { from, to }: { from: string; to: string },
  copy: (db: string, target: string) => T | Promise<T>,
): Promise<T> {
  const source = spaceFiles(from, id)
  const target = spaceFiles(to, id)
  mkdirSync(target.folder, { recursive: true, mode: 0o700 })
  copyAuditHead(source.folder, target.folder)
  const copied = await copy(source.db, target.db)
  copySettings(source.folder, target.folder)
  return copied
}

export function copySettings(from: string, to: string): void {
  for (const name of SETTINGS) {
    const text = readSmallFile(join(from, STATE_FOLDER, name), { within: from })
    if (text === undefined) continue
    mkdirSync(join(to, STATE_FOLDER), { recursive: true, mode: 0o700 })
    writeFileSync(join(to, STATE_FOLDER, name), text, { mode: 0o600 })
  }
}
