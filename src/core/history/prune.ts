import type { WriteCaller } from '../access/principal.ts'
import { needs } from '../errors.ts'
import type { Maintenance, Store } from '../port/store.ts'
import { estimatePruned, runsBelow } from './prune-estimate.ts'
import { type PruneStepInput, pruneStep } from './prune-step.ts'
import { findTail, type KeepRules } from './prune-tail.ts'
import { addPruned, noPruned, type Pruned, type PruneTail } from './pruned.ts'

export interface PruneInput {
  /** Snapshots younger than this many milliseconds stay. */
  keepMs: number
  /** The newest snapshots stay, however old they are. Default: 1000. */
  keepLast?: number | undefined
  /** Only count what would go. */
  dryRun?: boolean | undefined
}

export interface PruneProgress {
  /** Snapshots pruned so far, and how many there will be. */
  done: number
  total: number
}

export interface PruneDeps {
  store: Pick<Store, 'read' | 'write'>
  maintenance: Pick<Maintenance, 'sizeBytes' | 'files'>
  now: () => number
  /** Lets others write: resolves after about this many milliseconds. */
  pause?: (ms: number) => Promise<void>
  /** Nobody waits for it: smaller steps, and more time for others. */
  inBackground?: boolean | undefined
  /** Aborted: throws after the current step. What is pruned by then stays pruned. */
  signal?: AbortSignal | undefined
  caller?: WriteCaller | undefined
  onProgress?: ((progress: PruneProgress) => void) | undefined
}

export interface PruneResult extends Pruned {
  dryRun: boolean
  /** What the database takes, with its journal. */
  bytesBefore: number
  bytesAfter: number
}

export const KEEP_LAST = 1000

/**
 * Folds older snapshots into the last one of their day. What the ones that stay read never changes. In small steps:
 * others read and write in between, and one that is interrupted continues with the next call.
 */
export async function pruneHistory(deps: PruneDeps, input: PruneInput): Promise<PruneResult> {
  const { store, maintenance } = deps
  const rules = checkedRules(input, deps.now())
  const bytesBefore = await maintenance.sizeBytes()
  const { dryRun = false } = input
  if (dryRun) {
    const tail = await store.read((tx) => findTail(tx, rules))
    const pruned = tail ? await estimatePruned(store, tail) : noPruned()
    return { dryRun, ...pruned, bytesBefore, bytesAfter: Math.max(0, bytesBefore - aboutBytes(pruned)) }
  }
  const pruned = await pruneAll(deps, rules)
  // Also what a reader held back the last time.
  if (pruned.snapshots > 0 || !deps.inBackground) await reclaimAll(deps)
  return { dryRun, ...pruned, bytesBefore, bytesAfter: await maintenance.sizeBytes() }
}

function checkedRules({ keepMs, keepLast = KEEP_LAST }: PruneInput, now: number): KeepRules {
  needs(Number.isFinite(keepMs) && keepMs >= 0, 'keep must be a duration such as 90d, at least 0')
  needs(Number.isSafeInteger(keepLast) && keepLast >= 1, 'keepLast must be a positive whole number')
  return { since: now - keepMs, last: keepLast }
}

/** What the rows of a snapshot and of a version take, with their indexes, as measured by `bench/history.ts`. */
const ROW_BYTES = { snapshots: 150, versions: 60, texts: 50 }

function aboutBytes({ snapshots, versions, texts, textBytes }: Pruned): number {
  return snapshots * ROW_BYTES.snapshots + versions * ROW_BYTES.versions + texts * ROW_BYTES.texts + textBytes
}

const STEPS_PER_RECLAIM = 20

async function pruneAll(deps: PruneDeps, rules: KeepRules): Promise<Pruned> {
  const { store, maintenance, signal, onProgress } = deps
  const sum = noPruned()
  const findStart = (): Promise<PruneTail | undefined> => store.read((tx) => findTail(tx, rules))
  let tail = await findStart()
  const total = tail && onProgress ? await countGone(store, tail) : 0
  let isFirst = true
  let steps = 0
  while (tail) {
    signal?.throwIfAborted()
    const input = stepInput(deps, { tail, isFirst })
    const step = await paced(deps, () => store.write(pruneStep, input, { durable: false }))
    isFirst &&= !step.isChanged
    // The journal would grow for as long as others read.
    if (++steps % STEPS_PER_RECLAIM === 0) await maintenance.files?.reclaim({ rewrite: false })
    addPruned(sum, step)
    onProgress?.({ done: sum.snapshots, total: Math.max(total, sum.snapshots) })
    tail = step.tail === 'moved' ? await findStart() : (step.tail ?? undefined)
  }
  return sum
}

/** Versions per step in the background. */
const FEW = 200

function stepInput(
  { caller, inBackground }: Pick<PruneDeps, 'caller' | 'inBackground'>,
  input: Pick<PruneStepInput, 'tail' | 'isFirst'>,
): PruneStepInput {
  return { ...input, ...(inBackground && { versionsAtOnce: FEW }), ...(caller && { caller }) }
}

async function countGone(store: PruneDeps['store'], tail: PruneTail): Promise<number> {
  let count = 0
  for await (const { gone } of runsBelow(store, tail)) count += gone.length
  return count
}

/** How often to wait for readers that still need the journal, and for how long. */
const WAITS = 20
const WAIT_MS = 50

async function reclaimAll(deps: PruneDeps): Promise<void> {
  const { maintenance, pause, signal, inBackground = false } = deps
  const { files } = maintenance
  for (let waits = 0; files && waits < WAITS; ) {
    signal?.throwIfAborted()
    const reclaimed = await paced(deps, () => files.reclaim({ rewrite: !inBackground }))
    if (reclaimed === 'done') return
    if (reclaimed === 'more') continue
    waits++
    await pause?.(WAIT_MS)
  }
}

/** Others get at least half of the time: processes that wait for the lock look for it only now and then. */
async function paced<T>(
  { now, pause, inBackground }: Pick<PruneDeps, 'now' | 'pause' | 'inBackground'>,
  work: () => Promise<T>,
): Promise<T> {
  const before = now()
  const result = await work()
  const took = Math.min(Math.max(1, now() - before), LONGEST_PAUSE_MS)
  await pause?.(inBackground ? took * 4 : took)
  return result
}

const LONGEST_PAUSE_MS = 100
