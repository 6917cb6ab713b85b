import { rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isLeftBehind } from './left-behind.ts'

/** What a file is that has no name of its own yet, or never gets one. */
export type PartKind = 'backup' | 'staging'

/** A name of ours only, in the folder of `file`: `.<name>.<process>.<random>.<kind>-part`. */
export function partName(file: string, kind: PartKind): string {
  return join(dirname(file), `.${basename(file)}.${process.pid}.${crypto.randomUUID()}.${kind}-part`)
}

/** Removes the parts of processes that died, with what SQLite made beside them. `names`: what is in the folder. */
export function removeLeftParts(folder: string, names: readonly string[], kind: PartKind): void {
  const pattern = new RegExp(`^\\..+\\.(\\d+)\\.[^.]+\\.${kind}-part(-journal|-wal|-shm)?$`)
  for (const name of names) {
    const [, pid] = pattern.exec(name) ?? []
    if (pid !== undefined && isLeftBehind(join(folder, name), Number(pid)))
      rmSync(join(folder, name), { force: true })
  }
}
