import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder for one test, readable by every user of the system: some tests run a process as somebody else. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-store-'))
  chmodSync(folder, 0o755)
  onTestFinished(() => {
    chmodSync(folder, 0o755)
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** The database file and its journals: what an erased text must not be found in. */
export function databaseBytes(file: string): Buffer {
  const parts = [file, `${file}-wal`, `${file}-shm`].filter((part) => existsSync(part))
  return Buffer.concat(parts.map((part) => readFileSync(part)))
}

/** Every byte of every file below a folder. */
export function folderBytes(folder: string): Buffer {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Buffer.concat(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))))
}

export function fileHash(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
