import type { CompileProgress } from '../../core/compile/compile-progress.ts'
import type { Store } from '../../core/port/store.ts'
import type { RescanEnvelope, RescanMeta } from '../../mcp/model/observer.ts'
import type { Log } from '../../util/log.ts'
import { checkIsSource } from '../places/check-source.ts'
import type { RescanSettings } from '../settings/rescan-settings.ts'
import { guard } from '../timing/handler.ts'
import { atMost, CHECK_MS, type SetTimer, setIdleTimer } from '../timing/timer.ts'
import { createRescanLease } from './rescan-lease.ts'
import { createLookLog, isMutating, type LookCompile, NEVER, toFailedMeta, toMeta } from './rescan-look.ts'
import { createRescanWatch } from './rescan-watch.ts'
import type { WatchFolder } from './watch-folder.ts'

export interface RescanParts {
  /** As `Memory.compile`. */
  compile: LookCompile
  store: Store
  /** The folder that the memory is kept in step with. */
  sourceRoot: string
  /** Asked before every look: settings may change while it runs. */
  settings: () => RescanSettings
  now: () => number
  log: Log
  /** Called with every scan of this process, for its history. */
  rescanLog?: (meta: RescanMeta) => unknown
  setTimer?: SetTimer
  /** Lets changes be seen before the interval is over. */
  watch?: WatchFolder
  /** Unique among the processes that scan. */
  holder: string
}

export interface Rescan {
  /** Resolves when the first look is over, or was not this process's to take. */
  looked: Promise<void>
  /** The progress of the first scan, while it compiles files; undefined otherwise. Later scans are short. */
  progress(): CompileProgress | undefined
  /** Another process compiles the folder, and has not finished yet. */
  isOthersFirst(): Promise<boolean>
  /** The last scan of the process that has the job; all zero before the first. */
  status(): Promise<RescanEnvelope>
  /** Something changed: look once it has been quiet for a while. */
  wake(): void
  /** Aborts a running scan. No scan begins after this; another process can take over immediately. */
  stop(): Promise<void>
}

/** A scan that took a second is followed by four idle seconds, even if files change: a fifth of the time at most. */
const REST_FACTOR = 4
/** Files that never settle are looked at less and less often, down to every interval. */
const MAX_DOUBLINGS = 20
/** A scan is not awaited for longer than this: another process may hold the write lock for long. */
const STOP_MS = 1000

/** Keeps a memory in step with a folder: scans immediately, at every interval, and when something changes. */
export function startRescan(parts: RescanParts): Rescan {
  const { settings, now, log, setTimer = setIdleTimer, sourceRoot } = parts
  const lease = createRescanLease(parts)
  const lookLog = createLookLog(log)
  const watching = createRescanWatch({ watch: parts.watch, folder: sourceRoot, log, onChange: wake })
  const tellLook = guard(parts.rescanLog ?? (() => undefined), () =>
    log.warn('rescan: failed to store the result'),
  )
  const ending = new AbortController()
  const { signal } = ending

  let last = NEVER
  let isFirst = true
  let progress: CompileProgress | undefined
  let isLooking = false
  let isPaused = false
  /** Times by `now`: of the last look, of the next one if it is woken, and before which there is none. */
  let lookedAt = 0
  let wakeAt = Number.POSITIVE_INFINITY
  let restUntil = 0
  let restless = 0
  let cancel: () => void = () => undefined
  let running: Promise<void> = begin()
  const looked = running

  function dueAt(): number {
    const { intervalMs } = settings()
    // A clock that was set back must not make it wait until it is that late again.
    lookedAt = Math.min(lookedAt, now())
    const atInterval = lookedAt + (isPaused ? Math.min(intervalMs, CHECK_MS) : intervalMs)
    return Math.min(atInterval, Math.max(wakeAt, restUntil))
  }
  function arm(): void {
    cancel()
    if (isLooking || signal.aborted) return
    cancel = setTimer(fire, Math.max(0, Math.min(dueAt() - now(), CHECK_MS)))
  }
  function fire(): void {
    if (now() < dueAt()) arm()
    else running = begin()
  }

  async function begin(): Promise<void> {
    const beganAt = now()
    // The first may compile everything, which no other will.
    const restFactor = isFirst ? 0 : REST_FACTOR
    isLooking = true
    wakeAt = Number.POSITIVE_INFINITY
    try {
      await attempt(settings(), beganAt)
    } catch (error) {
      fail(beganAt, error)
    }
    progress = undefined
    lookedAt = now()
    restUntil = lookedAt + restFactor * Math.max(0, lookedAt - beganAt)
    isLooking = false
    arm()
  }

  /** One look, if it is this process's job. */
  async function attempt(current: RescanSettings, at: number): Promise<void> {
    const { intervalMs, enabled } = current
    isPaused = !enabled
    if (isPaused) await lease.release()
    if (isPaused || !(await lease.take(intervalMs))) {
      isFirst = false
      return
    }
    // First, so that changes during the scan are noticed too.
    watching.start()
    const letGo = lease.keep(intervalMs, setTimer, (error) => lookLog.failed(error))
    try {
      await look(current, at)
    } finally {
      letGo()
    }
  }

  async function look({ intervalMs, settleMs }: RescanSettings, at: number): Promise<void> {
    let isNews = false
    try {
      await checkSource()
      const result = await parts.compile(sourceRoot, {
        message: await messageOf(parts.store),
        // Files from before this process are presumably complete.
        settleMs: isFirst ? 0 : settleMs,
        signal,
        ...(isFirst && { onProgress: followProgress }),
      })
      isNews = isMutating(result)
      settle(result.unsettled, settleMs)
      lookLog.looked(result)
      last = toMeta(at, result)
    } catch (error) {
      fail(at, error)
    }
    // The next process must not find the job taken again.
    if (signal.aborted) return
    isFirst = false
    tellLook(last)
    await lease.publish(intervalMs, last, isNews)
  }

  function followProgress(state: CompileProgress): void {
    if (state.total > 0) progress = state
  }

  /** A memory that is new has nothing to lose. */
  async function checkSource(): Promise<void> {
    if ((await parts.store.read((tx) => tx.state())).head) checkIsSource(sourceRoot)
  }

  function fail(at: number, error: unknown): void {
    if (signal.aborted) return
    lookLog.failed(error)
    last = toFailedMeta(at, error)
  }
  function settle(unsettled: number, settleMs: number): void {
    restless = unsettled === 0 ? 0 : Math.min(restless + 1, MAX_DOUBLINGS)
    if (restless > 0) wakeAt = Math.min(wakeAt, now() + settleMs * 2 ** (restless - 1))
  }

  function wake(): void {
    // A process without the job reads the result of the one that has it.
    if (signal.aborted || !lease.isMine()) return
    wakeAt = now() + settings().settleMs
    arm()
  }

  return {
    looked,
    progress: () => progress,
    isOthersFirst: lease.isOthersFirst,
    async status() {
      if (!lease.isMine()) last = (await lease.findMeta()) ?? last
      // Not before a process really scans that often.
      const intervalS = last.run_at === 0 ? 0 : Math.ceil(settings().intervalMs / 1000)
      return { interval_s: intervalS, last_meta: last }
    },
    wake,
    async stop() {
      ending.abort(new Error('the rescan was stopped'))
      cancel()
      await atMost(STOP_MS, running)
      await Promise.all([
        watching.stop(),
        atMost(
          STOP_MS,
          // Other processes never wait for this lease longer than it lasts.
          lease.release().catch((error) => lookLog.failed(error)),
        ),
      ])
    },
  }
}

async function messageOf(store: Store): Promise<string> {
  return (await store.read((tx) => tx.state())).head ? 'rescan' : 'initial'
}
