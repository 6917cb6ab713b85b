import type { ListedFile } from './source-folder.ts'

/** Clocks of file systems and machines differ slightly; a time further ahead was set by hand. */
const AHEAD_MS = 2000

/** Whether another program may still be writing a file: it was modified less than `settleMs` before the scan. */
export function isUnsettled(file: ListedFile, look: { scannedAt: number; settleMs: number }): boolean {
  const { scannedAt, settleMs } = look
  const modifiedMs = file.modifiedAt / 1000
  // Unlike the modification time, the change time cannot be set.
  const touchedMs = modifiedMs > scannedAt + AHEAD_MS ? file.changedAt / 1000 : modifiedMs
  return touchedMs > scannedAt - settleMs && touchedMs <= scannedAt + AHEAD_MS
}
