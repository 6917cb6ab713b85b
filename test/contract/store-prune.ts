import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diff } from '../../src/core/history/history.ts'
import { pruneHistory } from '../../src/core/history/prune.ts'
import { pruneStep } from '../../src/core/history/prune-step.ts'
import { findTail } from '../../src/core/history/prune-tail.ts'
import type { PruneTail } from '../../src/core/history/pruned.ts'
import { previewRollback } from '../../src/core/history/rollback.ts'
import type { Engine, SnapshotRow, Store } from '../../src/core/port/store.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { healthOf } from '../support/health.ts'
import { commit, put } from '../support/store-changes.ts'
import { exportText, importText } from '../support/transfer.ts'
import type { OpenEmpty } from './store.ts'
import { run, step } from './store-model.ts'
import { createModel } from './store-model-state.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ALL = Number.MAX_SAFE_INTEGER

/** Steps some hours apart, and pieces that are appended to one of two documents. */
const append = fc.record({
  kind: fc.constant('append'),
  at: fc.nat({ max: 1 }),
  text: fc.string({ maxLength: 3 }),
})
const timed = fc.record({
  hours: fc.constantFrom(0, 0, 1, 5, 11, 30),
  step: fc.oneof({ weight: 3, arbitrary: step }, append),
})
const histories = fc.record({
  steps: fc.array(timed, { minLength: 1, maxLength: 30 }),
  days: fc.nat({ max: 3 }),
  keepLast: fc.integer({ min: 1, max: 4 }),
  versionsAtOnce: fc.integer({ min: 1, max: 6 }),
})

export function pruneContract(openEmpty: OpenEmpty, open: OpenEmpty): void {
  test('what kept snapshots read never changes, after any step of pruning any history', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ steps, days, keepLast, versionsAtOnce }) => {
        const [engine, copy] = [await open(), await open()]
        try {
          const now = await live(engine, steps)
          const kept = keptOf(await snapshotsOf(engine.store), now - days * DAY, keepLast)
          const before = await readAll(engine.store, kept)
          for await (const _ of prunedStepwise(engine.store, {
            since: now - days * DAY,
            last: keepLast,
            versionsAtOnce,
          }))
            expect(await readAll(engine.store, kept)).toEqual(before)
          expect((await snapshotsOf(engine.store)).map(({ id }) => id)).toEqual(kept.map(({ id }) => id))
          const exported = await exportText(engine.store)
          await importText(copy.store, exported)
          expect(await exportText(copy.store)).toBe(exported)
          expect(await readAll(copy.store, kept)).toEqual(before)
        } finally {
          await Promise.all([engine.close(), copy.close()])
        }
      }),
      { numRuns: 30 },
    )
  }, 60_000)
}

async function live(
  engine: Engine,
  steps: readonly {
    hours: number
    step: Parameters<typeof run>[2] | { kind: 'append'; at: number; text: string }
  }[],
): Promise<number> {
  const model = createModel()
  let now = 10 * DAY
  for (const { hours, step } of steps) {
    now += hours * HOUR
    if (step.kind === 'append') await appendTo(engine.store, step.at, step.text, now)
    else await run(engine, model, step, now)
  }
  return now
}

async function appendTo(store: Store, at: number, text: string, createdAt: number): Promise<void> {
  const address = { kind: 'file', node: 'n', scope: 'global', thread: '', path: `/${at}` } as const
  await commit(
    store,
    async (tx, snapshotId) => {
      const [found] = await tx.documents({ at: [address] }, 'stored')
      if (found?.state !== 'live') return void (await put(tx, snapshotId, address, text))
      const piece = { lead: '\n', text, digest: contentDigest(text), trail: text.length > 1 ? ' ' : '' }
      await tx.appendText({
        documentId: found.id,
        piece,
        attributes: { n: text.length % 2 },
        at: createdAt,
        snapshotId,
      })
    },
    { createdAt },
  )
}

/** Every change of pruning, in very small steps. */
async function* prunedStepwise(
  store: Store,
  { versionsAtOnce, ...rules }: { since: number; last: number; versionsAtOnce: number },
): AsyncGenerator<void> {
  let tail: PruneTail | undefined = await store.read((tx) => findTail(tx, rules))
  while (tail) {
    const { tail: next }: { tail: PruneTail | null | 'moved' } = await store.write(pruneStep, {
      tail,
      isFirst: false,
      versionsAtOnce,
    })
    expect(next).not.toBe('moved')
    tail = (next as PruneTail | null) ?? undefined
    yield
  }
}

function snapshotsOf(store: Store): Promise<SnapshotRow[]> {
  return store.read((tx) => tx.snapshots({ limit: ALL }))
}

/** As the documentation says it, newest first. */
function keptOf(snapshots: readonly SnapshotRow[], since: number, last: number): SnapshotRow[] {
  const dayOf = ({ createdAt }: SnapshotRow): number => Math.floor(createdAt / DAY)
  return snapshots.filter((row, at) => {
    const next = snapshots[at - 1]
    return row.createdAt >= since || at < last || !next || dayOf(next) !== dayOf(row)
  })
}

/** The health, the present, and what each of these moments says. */
async function readAll(store: Store, kept: readonly SnapshotRow[]) {
  const failing = (await store.read(healthOf)).filter((check) => check.status === 'fail')
  const moments = await Promise.all(kept.map(({ id }) => readAt(store, id)))
  const [newest, oldest] = [kept[0]?.id ?? 0, kept.at(-1)?.id ?? 0]
  const pairs = [...kept.slice(1).map(({ id }, at) => [id, kept[at]?.id ?? 0]), [0, oldest], [oldest, newest]]
  const diffs = []
  for (const [from = 0, to = 0] of pairs)
    diffs.push((await diff(store, { from, to, limit: 1000 })).items.map(({ snapshotId: _, ...row }) => row))
  const present = await store.read(async (tx) => ({
    nodes: (await tx.scan('nodes', { limit: ALL }))
      .filter(({ removedIn }) => removedIn === null)
      .map(({ textKey: _, ...row }) => row),
    hash: (await tx.state()).head?.cursorHash,
    counters: (await tx.summary({ hot: 1, cold: 0 })).counters,
  }))
  return { failing, moments, diffs, present }
}

async function readAt(store: Store, id: number) {
  const moment = await store.read(async (tx) => {
    const nodes = await tx.statesAt(range((await tx.state()).nextNodeKey), id)
    const documents = await tx.scan('documents', { limit: ALL })
    return {
      nodes: nodes.filter(({ state }) => state !== null).map(({ key, state }) => ({ key, state })),
      documents: await Promise.all(
        documents.map(async (row) => {
          const [then] = await tx.documentVersions(row.id, { limit: 1, before: id + 1 })
          return {
            id: row.id,
            state: then?.state ?? 'removed',
            attributes: then?.attributes ?? {},
            text: then?.text ?? null,
          }
        }),
      ),
    }
  })
  const { changes } = await previewRollback(store, { snapshotId: id })
  return { id, ...moment, changes }
}

function range(end: number): number[] {
  return Array.from({ length: end }, (_, at) => at)
}
