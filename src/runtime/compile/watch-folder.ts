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
  /** It can no longer be watched: it was removed, or the system failed. */
  onLost: () => void
}

/** Watches a folder recursively. Returns how to stop; rejects if it cannot be watched. It keeps the process alive. */
export type WatchFolder = (folder: string, handlers: FolderHandlers) => Promise<() => Promise<void>>

/**
 * Folders that a compile skips are not watched either: the system's watches would be wasted there. For a hidden folder the pattern
 * must name its content: `.*` alone would match hidden files too, and those are compiled.
 */
const IGNORED = ['**/.*/*', ...[STATE_FOLDER, '.git', ...SKIPPED_FOLDERS].map((name) => `**/${name}/**`)]

/** The system's own watcher. Otherwise the library first looks for watchman: it starts a shell, and leaves a zombie behind. */
const BACKENDS: Partial<Record<NodeJS.Platform, BackendType>> = {
  darwin: 'fs-events',
  linux: 'inotify',
  win32: 'windows',
}

/** A watcher that ignores the files of the database at `db`. */
export function createFolderWatcher(db: string): WatchFolder {
  return async (folder, { onChange, onLost }) => {
    const root = realpathSync(folder)
    const place = realpathSync(dirname(db))
    const own = [basename(db), `.${basename(db)}.`, SPOOL_PREFIX].map((name) => join(place, name))
    const isForeign = ({ path }: Change): boolean => !own.some((prefix) => path.startsWith(prefix))
    // Loaded late: without it, or if the system refuses, a server still scans at intervals.
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

/** A compiled file, or a folder: if a folder appears or disappears, only the folder is reported, not its content. */
function isOfInterest(root: string, { path, type }: Change): boolean {
  const below = relative(root, path).split(sep).join('/')
  if (isInSkippedFolder('', below)) return false
  if (findParser(below) !== undefined) return true
  if (isSkippedFolder(basename(path))) return false
  // A removed path may have been a folder.
  return type === 'delete' || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false)
}
