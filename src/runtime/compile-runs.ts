import type { CompileProgress } from '../core/compile-progress.ts'
import type { Compiled, StillCompiling } from '../mcp/hands.ts'
import { type SetTimer, setIdleTimer } from './timer.ts'

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
  result: Promise<Compiled>
  progress: CompileProgress
  abort: (reason: unknown) => void
  /** A caller was answered before its end: it goes on, whoever gives up. */
  isInBackground: boolean
}

/** Some clients give up after 50 s. */
const ANSWER_WITHIN_MS = 45_000

/**
 * Compiles that clients ask for. One that takes longer than a client may wait goes on in the background; whoever asks for the
 * same again waits for that one.
 */
export function createCompileRuns({ onFailure, setTimer = setIdleTimer }: CompileRunsParts) {
  const running = new Map<string, Run>()

  function begin(name: string, start: (options: RunOptions) => Promise<Compiled>): Run {
    const ending = new AbortController()
    const run: Run = {
      result: start({
        signal: ending.signal,
        onProgress: (progress) => {
          run.progress = progress
        },
      }),
      progress: { phase: 'read', done: 0, total: 0 },
      abort: (reason) => ending.abort(reason),
      isInBackground: false,
    }
    running.set(name, run)
    run.result
      .catch((error) => {
        if (run.isInBackground) onFailure(error)
      })
      .finally(() => running.delete(name))
    return run
  }

  return {
    /** `name`: the same for calls that ask for the same. `signal`: the caller gives up. */
    async compile(
      name: string,
      signal: AbortSignal | undefined,
      start: (options: RunOptions) => Promise<Compiled>,
    ): Promise<Compiled | StillCompiling> {
      signal?.throwIfAborted()
      const run = running.get(name) ?? begin(name, start)
      const giveUp = (): void => {
        if (!run.isInBackground) run.abort(signal?.reason)
      }
      const late = Promise.withResolvers<undefined>()
      const cancel = setTimer(() => late.resolve(undefined), ANSWER_WITHIN_MS)
      signal?.addEventListener('abort', giveUp)
      try {
        const result = await Promise.race([run.result, late.promise])
        if (result) return result
        run.isInBackground = true
        return { compiling: run.progress }
      } finally {
        cancel()
        signal?.removeEventListener('abort', giveUp)
      }
    },
    /** Gives up what goes on. */
    async stop(): Promise<void> {
      const runs = [...running.values()]
      for (const run of runs) run.abort(new Error('the server ends'))
      await Promise.allSettled(runs.map(({ result }) => result))
    },
  }
}

export type CompileRuns = ReturnType<typeof createCompileRuns>
