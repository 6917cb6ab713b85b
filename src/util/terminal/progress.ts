import { CLEAR_LINE, type TextStream } from './output.ts'

export interface Progress {
  update(state: { label: string; done: number; total: number }): void
  /** Removes the bar from the screen; nothing is drawn afterwards. */
  finish(): void
}

export interface ProgressOptions {
  stream: TextStream
  /** Milliseconds; any origin. */
  now: () => number
  /** Work that ends sooner shows no bar. */
  delayMs?: number
}

const REDRAW_MS = 80
const WIDEST_BAR = 40

/** A bar on a terminal; on anything else nothing. */
export function createProgress({ stream, now, delayMs = 300 }: ProgressOptions): Progress {
  const ignore = (): void => undefined
  if (!stream.isTTY) return { update: ignore, finish: ignore }
  const started = now()
  let drawn = Number.NEGATIVE_INFINITY
  let isShown = false
  let isOver = false
  return {
    update(state) {
      const time = now()
      if (isOver || time - started < delayMs || time - drawn < REDRAW_MS) return
      drawn = time
      isShown = true
      stream.write(CLEAR_LINE + progressLine(state, stream.columns || 80), ignore)
    },
    finish() {
      if (isShown && !isOver) stream.write(CLEAR_LINE, ignore)
      isOver = true
    },
  }
}

/** `reading ━━━━━───── 1200/3000`, shorter than `columns`: a wrapped line could not be cleared. */
export function progressLine(
  { label, done, total }: { label: string; done: number; total: number },
  columns: number,
): string {
  const count = `${String(done).padStart(String(total).length)}/${total}`
  const width = Math.min(WIDEST_BAR, columns - label.length - count.length - 3)
  if (width < 4) return `${label} ${count}`.slice(0, Math.max(0, columns - 1))
  const full = total > 0 ? Math.round((Math.min(done, total) / total) * width) : 0
  return `${label} ${'━'.repeat(full)}${'─'.repeat(width - full)} ${count}`
}
