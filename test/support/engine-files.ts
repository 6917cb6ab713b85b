import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { CompileResult } from '../../src/runtime/compile/compile-path.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import type { Workspace } from './engine.ts'

/** A clock an hour ahead: whatever is on disk then is old, and its times are trusted. */
export const LATER = { now: () => Date.now() + 3_600_000 }

/** A compile of the whole folder, or of a part of it, with the number of files that it read. */
export async function compileCounting(
  { memory, folder }: Pick<Workspace, 'memory' | 'folder'>,
  scope = '',
): Promise<CompileResult & { read: number }> {
  let read = 0
  const onProgress = ({ phase, total }: { phase: string; total: number }): void => {
    if (phase === 'read') read = total
  }
  return { ...(await memory.compile(join(folder, scope), { onProgress })), read }
}

/** What the database has in its table of files, as `root path`. */
export function factsIn(memory: Memory): string[] {
  const db = new Sqlite(memory.path, { readonly: true })
  try {
    return db.prepare(`SELECT root || ' ' || path FROM files ORDER BY 1`).pluck().all() as string[]
  } finally {
    db.close()
  }
}
