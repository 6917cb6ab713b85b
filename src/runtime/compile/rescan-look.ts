import { unreadKinds } from '../../core/compile/compile-text.ts'
import type { SkippedFile } from '../../core/compile/source-folder.ts'
import { MemoryError } from '../../core/errors.ts'
import type { RescanMeta } from '../../mcp/model/observer.ts'
import type { Log } from '../../util/log.ts'
import type { CompileOptions, CompileResult } from './compile-path.ts'

/** Before the first look. */
export const NEVER: RescanMeta = {
  run_at: 0,
  error: '',
  added: 0,
  modified: 0,
  removed: 0,
  purged_files: [],
}

/** The options of a compile that a scan needs. */
export type Looked = Pick<
  CompileResult,
  | 'added'
  | 'modified'
  | 'removed'
  | 'total'
  | 'purged'
  | 'unsettled'
  | 'skipped'
  | 'warnings'
  | 'unread'
  | 'files'
>

export type LookCompile = (
  path: string,
  options: Pick<CompileOptions, 'message' | 'settleMs' | 'signal' | 'onProgress'>,
) => Promise<Looked>

export function toMeta(runAtMs: number, { added, modified, removed, purged }: Looked): RescanMeta {
  const purgedFiles = purged.map(({ path, nodes }) => ({ path, nodes }))
  return { ...NEVER, run_at: toSeconds(runAtMs), added, modified, removed, purged_files: purgedFiles }
}

export function toFailedMeta(runAtMs: number, error: unknown): RescanMeta {
  return { ...NEVER, run_at: toSeconds(runAtMs), error: reasonOf(error) }
}

export function isMutating({ total, purged }: Looked): boolean {
  return total + purged.length > 0
}

/** The message of our own errors, which never quote content; only the code of others. */
export function reasonOf(error: unknown): string {
  if (error instanceof MemoryError) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unexpected'
  return `the look failed (${code}); it is tried again`
}

/** Logs the results of scans: changes, and each failure once until it is another or over. */
export function createLookLog(log: Log) {
  let failure = ''
  let skipped = new Set<string>()
  let unread = ''

  function tellUnread(result: Looked): void {
    const { files, kinds } = unreadKinds(result.unread)
    if (kinds !== unread && files > 0) log.info('rescan: files of other kinds skipped', { files, kinds })
    unread = kinds
  }

  function tellSkipped(files: readonly SkippedFile[]): void {
    const before = skipped
    skipped = new Set()
    for (const { path, line, reason } of files) {
      const key = JSON.stringify([path, line, reason])
      skipped.add(key)
      if (!before.has(key)) log.warn('rescan: file skipped', { path, line, reason })
    }
  }

  return {
    looked(result: Looked): void {
      failure = ''
      const { added, modified, removed, total, purged, files } = result
      if (isMutating(result)) log.info('rescan: applied', { added, modified, removed, total })
      else log.debug('rescan: no changes', { watched: files.seen })
      if (purged.length > 0) {
        const nodes = purged.reduce((sum, file) => sum + file.nodes, 0)
        log.info('rescan: purged deleted files', { files: purged.length, nodes })
      }
      tellUnread(result)
      tellSkipped(result.skipped)
      for (const warning of result.warnings) log.warn('rescan: file with a warning', { ...warning })
    },
    failed(error: unknown): void {
      const reason = reasonOf(error)
      if (reason === failure) log.debug('rescan: failed again', { err: reason })
      else log.warn('rescan: failed', { err: reason })
      failure = reason
    },
  }
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}
