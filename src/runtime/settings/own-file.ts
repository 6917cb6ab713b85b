import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MemoryError } from '../../core/errors.ts'
import { withLockFile } from '../../util/files/lock-file.ts'

const LOCK_ATTEMPTS = 100
const LOCK_WAIT_MS = 20

/**
 * Changes a file in the user's own folder, safely for concurrent processes: `change` reads it and returns its new text, or
 * undefined to leave it unchanged. The file is replaced as a whole and is readable by its owner only.
 */
export async function changeOwnFile(file: string, change: () => string | undefined): Promise<void> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const work = (): void => {
    const text = change()
    if (text !== undefined) replaceFile(file, text)
  }
  for (let attempt = 1; !withLockFile(`${file}.lock`, work); attempt++) {
    if (attempt === LOCK_ATTEMPTS)
      throw new MemoryError('UNAVAILABLE', `${file} is locked by another process; retry when it is done`)
    await delay(LOCK_WAIT_MS)
  }
}

function replaceFile(file: string, text: string): void {
  const part = `${file}.${crypto.randomUUID()}.part`
  try {
    const handle = openSync(part, 'wx', 0o600)
    try {
      writeFileSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}
