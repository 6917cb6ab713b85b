import type { ListedFile } from './source-folder.ts'

/** Clocks of file systems and of machines differ by a little; a file from further ahead has a time that somebody set. */
const AHEAD_MS = 2000

/** Whether somebody may still be writing a file: it was modified less than `settleMs` before it was looked at. */
export function isUnsettled(file: ListedFile, look: { scannedAt: number; settleMs: number }): boolean {
  const { scannedAt, settleMs } = look
  const modifiedMs = file.modifiedAt / 1000
  // Nobody can set the time at which anything about it changed.
  const touchedMs = modifiedMs > scannedAt + AHEAD_MS ? file.changedAt / 1000 : modifiedMs
  return touchedMs > scannedAt - settleMs && touchedMs <= scannedAt + AHEAD_MS
}
