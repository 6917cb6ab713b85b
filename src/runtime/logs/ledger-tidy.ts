import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compactJsonl } from '../../util/files/jsonl-compact.ts'
import { refuseLinks } from '../../util/files/within-folder.ts'
import type { Attempt } from '../timing/best-effort.ts'
import { findHashIn, foldOlder, newestLines } from './ledger-lines.ts'

/** The maximum number of clients: the least recently seen are dropped. */
const MAX_CLIENTS = 1000
/** The maximum number of sessions of one client with a separate line; the older ones share one line. */
const MAX_SESSIONS = 1000
/** So seldom that a line costs next to nothing more. */
const LINES_UNTIL_COMPACTED = 1000
const CLIENTS_UNTIL_DROPPED = 100

export interface LedgerTidy {
  /** Tidies the whole folder. */
  all(): void
  /** A line was added to the file of this name: makes it shorter when it has grown much. */
  added(name: string): void
}

/** Keeps a ledger from growing forever. Lines that another process appends meanwhile are kept. */
export function createLedgerTidy(folder: string, attempt: Attempt): LedgerTidy {
  /** By file name, since it was last compacted. */
  const lines = new Map<string, number>()
  /** Names of files that were written to since clients were last dropped. */
  const clients = new Set<string>()

  function compact(name: string): void {
    lines.delete(name)
    const choose: Parameters<typeof compactJsonl>[1] = (all) => foldOlder(newestLines(all), MAX_SESSIONS)
    attempt(() => void compactJsonl(join(folder, name), choose, { within: dirname(folder) }))
  }
  /** Names of the files that stay. */
  function dropClients(): string[] {
    const names = namesByAge(folder)
    const kept = names.splice(Math.max(0, names.length - MAX_CLIENTS))
    for (const name of names) {
      lines.delete(name)
      attempt(() => rmSync(join(folder, name), { force: true }))
    }
    clients.clear()
    return kept
  }
  return {
    all() {
      // Oldest first: a rewritten file is newer than the ones before it, as it was.
      for (const name of dropClients()) compact(name)
    },
    added(name) {
      const count = (lines.get(name) ?? 0) + 1
      lines.set(name, count)
      clients.add(name)
      if (count >= LINES_UNTIL_COMPACTED) compact(name)
      if (clients.size >= CLIENTS_UNTIL_DROPPED) attempt(dropClients)
    },
  }
}

/** The most recently seen comes last. */
function namesByAge(folder: string): string[] {
  refuseLinks(dirname(folder), folder)
  const files = readdirSync(folder).flatMap((name) => {
    const stats =
      findHashIn(name) === undefined ? undefined : lstatSync(join(folder, name), { throwIfNoEntry: false })
    return stats?.isFile() ? [{ name, changedAt: stats.mtimeMs }] : []
  })
  return files.sort((a, b) => a.changedAt - b.changedAt).map(({ name }) => name)
}
