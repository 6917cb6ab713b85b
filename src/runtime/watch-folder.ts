import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, relative, sep } from 'node:path'
import { findParser } from '../ingest/parsers.ts'
import { isInSkippedFolder, SKIPPED_FOLDERS } from '../ingest/walk.ts'

export interface FolderHandlers {
  /** Something in it changed that may concern a compile. */
  onChange: () => void
  /** It cannot be watched any longer: it is gone, or the system gave up. */
  onLost: () => void
}

/** Watches a folder with all in it. Returns how to stop; rejects where it cannot be watched. It keeps the process alive. */
export type WatchFolder = (folder: string, handlers: FolderHandlers) => Promise<() => Promise<void>>

/** What a compile does not look into is not watched either: there the system's watches would be wasted. */
const IGNORED = ['**/.*/**', ...[...SKIPPED_FOLDERS].map((name) => `**/${name}/**`)]

/** A watcher that the files of the database at `db` never wake, wherever they are. */
export function createFolderWatcher(db: string): WatchFolder {
  return async (folder, { onChange, onLost }) => {
    const root = realpathSync(folder)
    const own = join(realpathSync(dirname(db)), basename(db))
    // Loaded late: without it, or where the system refuses, a server still looks at every interval.
    const { subscribe } = await import('@parcel/watcher')
    const subscription = await subscribe(
      root,
      (error, events) => {
        if (error || events.some(({ path, type }) => path === root && type === 'delete')) onLost()
        else if (events.some(({ path }) => !path.startsWith(own) && isOfInterest(root, path))) onChange()
      },
      { ignore: IGNORED },
    )
    return () => subscription.unsubscribe()
  }
}

/** A file that is compiled, or what may be a folder of such. Of a folder that came or went only that is told, not what is in it. */
function isOfInterest(root: string, path: string): boolean {
  const below = relative(root, path).split(sep).join('/')
  if (isInSkippedFolder('', `${below}/`)) return false
  if (findParser(below) !== undefined || extname(below) === '') return true
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
