import { closeSync, fsyncSync, linkSync, lstatSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { hasCode } from '../error-code.ts'
import { DAY_MS } from '../text/duration.ts'

/**
 * Makes a file that has its name only when it is whole and on disk, for its owner only; a name that is taken is refused (`EEXIST`).
 * `fill` is given the name that it has until then, in the same folder, with `ending`: if this process dies, the next file that is
 * made there with that ending removes it.
 */
export function makeNewFile(file: string, ending: string, fill: (part: string) => void): void {
  if (lstatSync(file, { throwIfNoEntry: false })) throw nameTaken()
  const folder = dirname(file)
  const part = join(folder, `.${basename(file)}.${process.pid}.${crypto.randomUUID()}.${ending}`)
  closeSync(openSync(part, 'wx', 0o600))
  try {
    removeLeftovers(folder, ending)
    fill(part)
    sync(part, 'r+')
    giveName(part, file)
  } finally {
    rmSync(part, { force: true })
  }
  // So that the name survives a loss of power, too. Windows does that by itself, and cannot open a folder.
  if (process.platform !== 'win32') sync(folder, 'r')
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

/** Those with a name of ours: `.<name>.<process>.<random>.<ending>`, or that of a journal beside it. */
function removeLeftovers(folder: string, ending: string): void {
  for (const name of readdirSync(folder)) {
    const [pid = '', , end] = name.split('.').slice(-3)
    const isPart = /^\d+$/.test(pid) && (end === ending || end === `${ending}-journal`)
    if (isPart && isLeft(join(folder, name), Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

/** The number of a process is given again some day, and then says nothing. */
function isLeft(part: string, pid: number): boolean {
  const stats = lstatSync(part, { throwIfNoEntry: false })
  return stats !== undefined && (!isRunning(pid) || Date.now() - stats.mtimeMs > DAY_MS)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}

function sync(path: string, flag: 'r' | 'r+'): void {
  const handle = openSync(path, flag)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
