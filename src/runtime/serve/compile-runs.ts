import type { CompileProgress } from '../../core/compile/compile-progress.ts'
import type { Compiled, StillCompiling } from '../../mcp/model/agent-memory.ts'
import { type SetTimer, setIdleTimer } from '../timing/timer.ts'

export interface CompileRunsParts {
  /** Called when a compile fails after its caller was answered. */
  onFailure: (error: unknown) => void
  setTimer?: SetTimer
}

export interface RunOptions {
  signal: AbortSignal
  onProgress: (progress: CompileProgress) => void
}

interface Run {
  path: string
  result: Promise<Compiled>
  progress: CompileProgress
  ending: AbortController
  /** Callers that have not given up: those that wait, and those that were answered before its end. */
  callers: number
  /** A caller was answered before its end. */
  isInBackground: boolean
}

/** Some clients give up after 50 s. */
const ANSWER_WITHIN_MS = 45_000

/**
 * Compiles that clients ask for. One that takes longer than a client may wait goes on in the background; whoever asks for the
 * same path waits for that one. It ends early when every caller has given up.
 */
export function createCompileRuns({ onFailure, setTimer = setIdleTimer }: CompileRunsParts) {
  const running = new Set<Run>()

  function begin(path: string, start: (options: RunOptions) => Promise<Compiled>): Run {
    const ending = new AbortController()
    const run: Run = {
      path,
      result: start({
        signal: ending.signal,
        onProgress: (progress) => {
          run.progress = progress
        },
      }),
      progress: { phase: 'read', done: 0, total: 0 },
      ending,
      callers: 0,
      isInBackground: false,
    }
    running.add(run)
    run.result
      .catch((error) => {
        if (run.isInBackground) onFailure(error)
      })
      .finally(() => running.delete(run))
    return run
  }

  function findGoingOn(path: string): Run | undefined {
    return [...running].find((run) => run.path === path && !run.ending.signal.aborted)
  }

  return {
    /** `path`: the real one. `signal`: the caller gives up. */
    async compile(
      path: string,
      signal: AbortSignal | undefined,
      start: (options: RunOptions) => Promise<Compiled>,
    ): Promise<Compiled | StillCompiling> {
      signal?.throwIfAborted()
      const run = findGoingOn(path) ?? begin(path, start)
      run.callers += 1
      const early = Promise.withResolvers<undefined>()
      const giveUp = (): void => {
        early.reject(signal?.reason)
        run.callers -= 1
        if (run.callers === 0) run.ending.abort(signal?.reason)
      }
      const cancel = setTimer(() => early.resolve(undefined), ANSWER_WITHIN_MS)
      signal?.addEventListener('abort', giveUp)
      try {
        const result = await Promise.race([run.result, early.promise])
        if (result) return result
        run.isInBackground = true
        return { compiling: run.progress }
      } finally {
        cancel()
        signal?.removeEventListener('abort', giveUp)
      }
    },
    /** How far a compile is that goes on in the background. */
    progress: (): CompileProgress | undefined => [...running].find((run) => run.isInBackground)?.progress,
    /** Gives up what goes on. */
    async stop(): Promise<void> {
      const runs = [...running]
      for (const { ending } of runs) ending.abort(new Error('the server ends'))
      await Promise.allSettled(runs.map(({ result }) => result))
    },
  }
}

export type CompileRuns = ReturnType<typeof createCompileRuns>
