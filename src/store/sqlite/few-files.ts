import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { findOutOfFiles } from '../../core/open-files.ts'

/** What one handle opens: the database, its journal, its shared memory, and once a folder. */
const FILES_OF_A_HANDLE = 4

/**
 * Whether this process may not open as many files as a handle needs. SQLite says only that it cannot open one; asked right
 * after that, the system tells why.
 */
export function isShortOfFiles(): boolean {
  const opened: number[] = []
  try {
    while (opened.length < FILES_OF_A_HANDLE) opened.push(openSync(devNull, 'r'))
    return false
  } catch (error) {
    return findOutOfFiles(error) !== undefined
  } finally {
    for (const handle of opened) closeSync(handle)
  }
}
