import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { Engine } from '../../src/core/port/store.ts'
import type { RescanMeta } from '../../src/mcp/model/observer.ts'
import { type Rescan, type RescanParts, startRescan } from '../../src/runtime/compile/rescan.ts'
import type { FolderHandlers } from '../../src/runtime/compile/watch-folder.ts'
import type { Memory, OpenOptions } from '../../src/runtime/memory/open-memory.ts'
import type { RescanSettings } from '../../src/runtime/settings/rescan-settings.ts'
import { openIn } from './engine.ts'
import { recordingLog } from './recording-log.ts'
import { soon } from './soon.ts'
import { openEngine } from './store-database.ts'
import { manualTimers } from './timers.ts'

/** A folder that says it changed when a test says so. */
export function manualWatch() {
  const handlers: FolderHandlers[] = []
  let stopped = 0
  return {
    handlers,
    stops: () => stopped,
    watch: async (_folder: string, given: FolderHandlers) => {
      handlers.push(given)
      return async () => void stopped++
    },
    change: () => handlers.at(-1)?.onChange([]),
  }
}

export interface Clock {
  now: number
}

export const SETTINGS: RescanSettings = { enabled: true, intervalMs: 30_000, settleMs: 500 }

/** A process that keeps the memory of a folder in step with it; timers fire when told, the clock stands until moved. */
export async function openRescan(
  folder: string,
  clock: Clock,
  others: Partial<RescanParts> & { open?: Partial<OpenOptions> } = {},
) {
  const { open = {}, ...parts } = others
  const memory: Memory = await openIn(folder, { now: () => clock.now, ...open })
  const engine: Engine = await openEngine(memory.path)
  const timers = manualTimers()
  const folderWatch = manualWatch()
  const { log, records, warnings } = recordingLog()
  const settings = { ...SETTINGS }
  const metas: RescanMeta[] = []
  const rescan: Rescan = startRescan({
    compile: memory.compile,
    store: engine.store,
    sourceRoot: folder,
    settings: () => settings,
    now: () => clock.now,
    log,
    rescanLog: (meta) => metas.push(meta),
    setTimer: timers.setTimer,
    watch: folderWatch.watch,
    holder: randomUUID(),
    ...parts,
  })
  async function close(): Promise<void> {
    await rescan.stop()
    await engine.close()
    await memory.close()
  }
  onTestFinished(close)
  /** Until nothing goes on: it waits for its next look. */
  const idle = async (): Promise<void> => {
    const isWaiting = (): boolean => {
      const [ms = Number.POSITIVE_INFINITY, ...more] = timers.delays()
      return more.length === 0 && ms <= 30_000 && ms !== RENEWAL_MS
    }
    await soon(isWaiting).toBe(true)
  }
  const pass = async (ms: number): Promise<void> => {
    clock.now += ms
    timers.fire()
    await idle()
  }
  return {
    memory,
    engine,
    rescan,
    timers,
    folderWatch,
    records,
    warnings,
    settings,
    metas,
    idle,
    pass,
    close,
  }
}

/** While it looks the only timer is the one that renews its lease; it waits that long, or longer than it ever waits for a look. */
const RENEWAL_MS = (2.5 * SETTINGS.intervalMs) / 3
