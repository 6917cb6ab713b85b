import { closeSync, fsyncSync, openSync } from 'node:fs'

/** What was written to a file is on disk then. */
export function syncFile(path: string): void {
  sync(path, 'r+')
}

/** So that the names in a folder survive a loss of power, too. Windows does that by itself, and cannot open a folder. */
export function syncFolder(path: string): void {
  if (process.platform !== 'win32') sync(path, 'r')
}

function sync(path: string, flag: 'r' | 'r+'): void {
  const handle = openSync(path, flag)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
