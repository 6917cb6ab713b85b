import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { BackendType } from '@parcel/watcher'
import { findParser } from '../../ingest/parsers.ts'
import { isInSkippedFolder, isSkippedFolder, SKIPPED_FOLDERS } from '../../ingest/walk.ts'
import { given } from '../../util/given.ts'
import { STATE_FOLDER } from '../places/places.ts'
import { SPOOL_PREFIX } from './compile-path.ts'

export interface FolderHandlers {
  /** These changed, and may concern a compile. */
  onChange: (paths: readonly string[]) => void
  /** It cannot be watched any longer: it is gone, or the system gave up. */
  onLost: () => void
}

/** Watches a folder with all in it. Returns how to stop; rejects where it cannot be watched. It keeps the process alive. */
export type WatchFolder = (folder: string, handlers: FolderHandlers) => Promise<() => Promise<void>>

/**
 * What a compile does not look into is not watched either: the system's watches would be wasted there. Of a hidden folder only
 * what is in it can be named: `.*` alone would be hidden files too, and those are compiled.
 */
const IGNORED = ['**/.*/*', ...[STATE_FOLDER, '.git', ...SKIPPED_FOLDERS].map((name) => `**/${name}/**`)]

/** The system's own. Otherwise the library first looks for watchman: it starts a shell, and leaves it behind as a zombie. */
const BACKENDS: Partial<Record<NodeJS.Platform, BackendType>> = {
  darwin: 'fs-events',
  linux: 'inotify',
  win32: 'windows',
}

/** A watcher that the files of the database at `db` never wake, wherever they are. */
export function createFolderWatcher(db: string): WatchFolder {
  return async (folder, { onChange, onLost }) => {
    const root = realpathSync(folder)
    const place = realpathSync(dirname(db))
    const own = [basename(db), `.${basename(db)}.`, SPOOL_PREFIX].map((name) => join(place, name))
    const isForeign = ({ path }: Change): boolean => !own.some((prefix) => path.startsWith(prefix))
    // Loaded late: without it, or where the system refuses, a server still looks at every interval.
    const { subscribe } = await import('@parcel/watcher')
    const subscription = await subscribe(
      root,
      (error, events) => {
        const isLost = error || events.some(({ path, type }) => path === root && type === 'delete')
        if (isLost) return onLost()
        const found = events.filter((event) => isForeign(event) && isOfInterest(root, event))
        if (found.length > 0) onChange(found.map(({ path }) => path))
      },
      { ignore: IGNORED, ...given({ backend: BACKENDS[process.platform] }) },
    )
    return () => subscription.unsubscribe()
  }
}

interface Change {
  path: string
  type: 'create' | 'update' | 'delete'
}

/** A file that is compiled, or a folder: of one that came or went only that is told, not what is in it. */
function isOfInterest(root: string, { path, type }: Change): boolean {
  const below = relative(root, path).split(sep).join('/')
  if (isInSkippedFolder('', below)) return false
  if (findParser(below) !== undefined) return true
  if (isSkippedFolder(basename(path))) return false
  // What is gone may have been a folder.
  return type === 'delete' || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false)
}
