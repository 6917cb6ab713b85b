import type { Timeline } from './timeline.ts'

/** Whether something is found at a snapshot. */
export type IsFoundAt = (snapshot: number) => Promise<boolean>

/** Two snapshots with none between them: found at the first, lost at the second. */
export interface Edge {
  before: number
  at: number
}

/**
 * The change from found to lost between a snapshot at which it is found and one at which it is not. In a history in which it
 * comes and goes, one of them.
 */
export async function findEdge(
  timeline: Pick<Timeline, 'between'>,
  isFoundAt: IsFoundAt,
  { before, at }: Edge,
  onStep: (edge: Edge) => void = () => undefined,
): Promise<Edge> {
  const edge = { before, at }
  for (;;) {
    onStep(edge)
    const middle = await timeline.between(edge.before, edge.at)
    if (middle === undefined) return edge
    if (await isFoundAt(middle)) edge.before = middle
    else edge.at = middle
  }
}

export interface Good {
  /** Undefined: none of those that were tried. */
  snapshot: number | undefined
  /** No snapshot is left to try. */
  triedAll: boolean
}

/**
 * A snapshot at which it is found: first those where it is likely, then going back from the newest in growing steps, so that the last loss is found rather
 * than an old one, then between the snapshots that were tried.
 */
export async function findGood(
  timeline: Timeline,
  isFoundAt: IsFoundAt,
  { head, most, likely = [] }: { head: number; most: number; likely?: readonly number[] },
): Promise<Good> {
  let tried = 0
  for await (const snapshot of candidates(timeline, head, likely)) {
    if (tried++ >= most) return { snapshot: undefined, triedAll: false }
    if (await isFoundAt(snapshot)) return { snapshot, triedAll: false }
  }
  return { snapshot: undefined, triedAll: true }
}

/** Every snapshot before the newest; some of them twice. */
async function* candidates(
  timeline: Timeline,
  head: number,
  likely: readonly number[],
): AsyncGenerator<number> {
  yield* likely
  for (let step = 1, last = head; last > 0 && step < head; step *= 2) {
    const snapshot = await timeline.upTo(head - step)
    if (snapshot > 0 && snapshot < last) yield snapshot
    last = Math.min(last, snapshot)
  }
  const gaps = [{ after: 0, before: head }]
  for (let gap = gaps.shift(); gap; gap = gaps.shift()) {
    const { after, before } = gap
    const middle = await timeline.between(after, before)
    if (middle === undefined) continue
    yield middle
    // The newer half first.
    gaps.push({ after: middle, before }, { after, before: middle })
  }
}
