import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from './engine.ts'
import type { Clock } from './rescan.ts'

const HOUR_MS = 3_600_000

export interface Source {
  folder: string
  clock: Clock
  /** Writes a file, at once: nobody finds half of it. `ageMs` before now, if that is given. */
  file(path: string, text: string, ageMs?: number): void
  remove(path: string): void
}

/** A folder with files, and a clock an hour ahead: what is on disk is old unless a test says otherwise. */
export function sourceFolder(files: Record<string, string>): Source {
  const folder = temporaryFolder()
  const draft = join(temporaryFolder(), 'draft')
  const clock = { now: Date.now() + HOUR_MS }
  const source: Source = {
    folder,
    clock,
    file(path, text, ageMs) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(draft, text)
      const seconds = (clock.now - (ageMs ?? 0)) / 1000
      if (ageMs !== undefined) utimesSync(draft, seconds, seconds)
      renameSync(draft, join(folder, path))
    },
    remove: (path) => rmSync(join(folder, path), { recursive: true }),
  }
  for (const [path, text] of Object.entries(files)) source.file(path, text)
  return source
}
