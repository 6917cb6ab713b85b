import { join } from 'node:path'
import type { RescanMeta } from '../../mcp/model/observer.ts'
import { appendJsonl } from '../../util/files/jsonl-file.ts'
import type { Log } from '../../util/log.ts'
import { createAttempt } from '../timing/best-effort.ts'

export interface RescanLogParts {
  stateFolder: string
  /** Asked each time: settings may change. */
  settings: () => { enabled: boolean; maxFileBytes: number }
  log: Log
}

export interface RescanLog {
  append(meta: RescanMeta): void
}

/** Writes every scan of the source as a line of `rescan.jsonl`, if enabled. A failure is a warning. */
export function createRescanLog({ stateFolder, settings, log }: RescanLogParts): RescanLog {
  const attempt = createAttempt(log, 'rescan log cannot be written')
  return {
    append(meta) {
      const { enabled, maxFileBytes } = settings()
      if (!enabled) return
      attempt(() => appendJsonl(join(stateFolder, 'rescan.jsonl'), lineOf(meta), { maxBytes: maxFileBytes }))
    },
  }
}

/** The keys in the order of the contract, and no others. */
function lineOf({ run_at, error, added, modified, removed, purged_files }: RescanMeta): RescanMeta {
  const files = (purged_files ?? []).map(({ path, nodes }) => ({ path, nodes }))
  return { run_at, error, added, modified, removed, purged_files: files }
}
