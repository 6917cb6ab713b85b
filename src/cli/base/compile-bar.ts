import type { CompileProgress } from '../../core/compile/compile-progress.ts'
import { createProgress, type ProgressOptions } from '../../util/terminal/progress.ts'

const ASK_MS = 100

/** The labels of a progress bar for the phases of a compile. */
export function barState({ phase, done, total }: CompileProgress) {
  return { label: phase === 'read' ? 'reading' : 'writing', done, total }
}

export interface Compiling {
  looked: Promise<void>
  progress(): CompileProgress | undefined
}

/** Shows how far a server's first compile is, until it is over. On anything but a terminal it only waits. */
export async function showCompiling(
  { looked, progress }: Compiling,
  options: ProgressOptions,
): Promise<void> {
  const bar = createProgress(options)
  const draw = (): void => {
    const state = progress()
    if (state && state.total > 0) bar.update(barState(state))
  }
  const timer = setInterval(draw, ASK_MS).unref()
  try {
    await looked
  } finally {
    clearInterval(timer)
    bar.finish()
  }
}
