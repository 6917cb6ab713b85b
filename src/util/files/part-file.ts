import { lstatSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { hasCode } from '../error-code.ts'
import { DAY_MS } from '../text/duration.ts'

/** What a file is that has no name of its own yet, or never gets one. */
export type PartKind = 'backup' | 'staging'

/** A name of ours only, in the folder of `file`: `.<name>.<process>.<random>.<kind>-part`. */
export function partName(file: string, kind: PartKind): string {
  return join(dirname(file), `.${basename(file)}.${process.pid}.${crypto.randomUUID()}.${kind}-part`)
}

/** Removes a part, with what SQLite makes beside it. */
export function removePart(part: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(part + end, { force: true })
}

/** Removes the parts of processes that died. `names`: what is in the folder. */
export function removeLeftParts(folder: string, names: readonly string[], kind: PartKind): void {
  const pattern = new RegExp(`^\\..+\\.(\\d+)\\.[^.]+\\.${kind}-part(-journal|-wal|-shm)?$`)
  for (const name of names) {
    const [, pid] = pattern.exec(name) ?? []
    if (pid !== undefined && isLeft(join(folder, name), Number(pid)))
      rmSync(join(folder, name), { force: true })
  }
}

/** The number of a process is given again some day, maybe to this one, and then says nothing. */
function isLeft(part: string, pid: number): boolean {
  const changedAt = lstatSync(part, { throwIfNoEntry: false })?.mtimeMs
  if (changedAt === undefined) return false
  const startedAt = Date.now() - 1000 * process.uptime()
  return !isRunning(pid) || (pid === process.pid && changedAt < startedAt) || Date.now() - changedAt > DAY_MS
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}
