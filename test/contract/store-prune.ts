import fc from 'fast-check'
import { expect, test } from 'vitest'
import { delta, diff } from '../../src/core/history/history.ts'
import { type PruneInput, pruneHistory } from '../../src/core/history/prune.ts'
import { pruneStep } from '../../src/core/history/prune-step.ts'
import { findTail } from '../../src/core/history/prune-tail.ts'
import type { PruneTail } from '../../src/core/history/pruned.ts'
import { previewRollback, rollback } from '../../src/core/history/rollback.ts'
import type { Engine, SnapshotRow, Store } from '../../src/core/port/store.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { healthOf } from '../support/health.ts'
import { addDocument, change, commit, hash, put, source, type TestNode } from '../support/store-changes.ts'
import { exportText, importText } from '../support/transfer.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'
import { run, type Step, step } from './store-model.ts'
import { createModel } from './store-model-state.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ALL = Number.MAX_SAFE_INTEGER

/** Pieces that are appended to one of two documents; a file that moves; names for snapshots. */
const more = fc.record({
  kind: fc.constantFrom(
    'append' as const,
    'append' as const,
    'move document' as const,
    'checkpoint' as const,
  ),
  at: fc.nat({ max: 100 }),
  text: fc.string({ maxLength: 3 }),
})
type More = typeof more extends fc.Arbitrary<infer T> ? T : never
/** Steps some hours apart. */
const timed = fc.record({
  hours: fc.constantFrom(0, 0, 1, 5, 11, 30),
  step: fc.oneof({ weight: 3, arbitrary: step }, { weight: 2, arbitrary: more }),
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
          const kept = await keptOf(engine.store, now - days * DAY, keepLast)
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
      { numRuns: 20 },
    )
  }, 60_000)

  /** Two days: on the first, a document with a node that changes twice, and one that comes and goes. */
  async function twoDays() {
    const engine = await openEmpty()
    const { store } = engine
    const at = (hour: number) => ({ createdAt: 10 * DAY + hour * HOUR })
    const { nodes } = await addDocument(
      store,
      source('a.md'),
      [{ id: 'aaaaaaaaaaa', text: 'one' }],
      null,
      at(1),
    )
    const node = nodes[0] as TestNode
    const edit = (text: string, hour: number) =>
      commit(store, (tx, id) => tx.applyChanges(id, [change('mod', { ...node, text })]), at(hour))
    await edit('two', 2)
    const passing = { ...node, key: node.key + 1, id: 'bbbbbbbbbbb', text: 'passing' }
    await commit(store, (tx, id) => tx.applyChanges(id, [change('add', passing)]), at(3))
    await commit(store, (tx, id) => tx.applyChanges(id, [{ op: 'rem', key: passing.key }]), at(4))
    await edit('three', 5)
    await edit('four', 30)
    const deps = { ...engine, hash, now: () => 13 * DAY, author: 'tester', redact: (text: string) => text }
    const prune = (input: Partial<PruneInput> = {}) =>
      pruneHistory(deps, { keepMs: 0, keepLast: 1, ...input })
    return { engine, store, deps, node, passing, prune }
  }
  const idsOf = async (store: Store) => (await snapshotsOf(store)).map(({ id }) => id)

  test('pruning leaves the last snapshot of each day, and removes texts and nodes that nothing refers to', async () => {
    const { store, node, passing, prune } = await twoDays()
    const expected = { snapshots: 4, versions: 4, texts: 3, textBytes: 13 }
    expect(await prune({ dryRun: true })).toMatchObject({ dryRun: true, ...expected })
    expect(await idsOf(store)).toEqual([6, 5, 4, 3, 2, 1])
    expect(await prune()).toMatchObject({ dryRun: false, ...expected, nodes: 1 })
    expect(await idsOf(store)).toEqual([6, 5])
    await store.read(async (tx) => {
      const digests = ['one', 'two', 'three', 'passing', 'four'].map(contentDigest)
      expect([...(await tx.texts(digests)).values()].toSorted()).toEqual(['four', 'three'])
      expect((await tx.scan('nodes', { limit: 9 })).map(({ key }) => key)).toEqual([node.key])
      expect(await tx.scan('heat', { of: { key: [passing.key] }, limit: 9 })).toEqual([])
      const versions = await tx.versions({ nodeId: node.id }, { limit: 9 })
      expect(versions.map(({ snapshotId, op }) => [snapshotId, op])).toEqual([
        [6, 'mod'],
        [5, 'add'],
      ])
      expect((await tx.snapshots({ limit: 9 })).map(({ parentId }) => parentId)).toEqual([5, null])
      expect((await healthOf(tx)).filter(({ status }) => status === 'fail')).toEqual([])
    })
    expect(await prune()).toMatchObject({ snapshots: 0, versions: 0, texts: 0, nodes: 0 })
  })

  test('pruning keeps checkpoints, young snapshots and the newest ones', async () => {
    const { store, prune } = await twoDays()
    const row = { name: 'release', snapshotId: 2, author: 'tester', createdAt: 1 }
    await writing(store, (tx) => tx.commit({ checkpoints: { put: [row], remove: [] } }))
    expect(await prune({ keepMs: 10 * DAY })).toMatchObject({ snapshots: 0 })
    expect(await prune({ keepLast: 6 })).toMatchObject({ snapshots: 0 })
    expect(await prune({ keepLast: 4 })).toMatchObject({ snapshots: 1 })
    expect(await idsOf(store)).toEqual([6, 5, 4, 3, 2])
    expect(await prune({ keepLast: 1 })).toMatchObject({ snapshots: 2 })
    expect(await idsOf(store)).toEqual([6, 5, 2])
  })

  test('a pruned snapshot cannot be read, and the error names the nearest one', async () => {
    const { store, deps, prune } = await twoDays()
    await prune()
    const pruned = { code: 'NOT_FOUND', message: 'snapshot 3 was pruned; the nearest kept moment is 5' }
    await expect(diff(store, { from: 3, to: 6 })).rejects.toMatchObject(pruned)
    await expect(delta(store, { since: 3 })).rejects.toMatchObject(pruned)
    await expect(rollback(deps, { snapshotId: 3 })).rejects.toMatchObject(pruned)
    await expect(diff(store, { from: 5, to: 9 })).rejects.toThrow('snapshot 9 not found')
    expect((await delta(store, { since: 5 })).items).toHaveLength(1)
  })

  test('a snapshot with more versions than fit into one step is hidden until it is empty', async () => {
    const { store, prune } = await twoDays()
    const inputs = ['x', 'y', 'z'].map((text) => ({ id: text.repeat(11), text }))
    await addDocument(store, source('b.md'), inputs, null, { createdAt: 11 * DAY + 7 * HOUR })
    await commit(store, (tx, id) => put(tx, id, source('c.md')), { createdAt: 11 * DAY + 8 * HOUR })
    const tail = (await store.read((tx) => findTail(tx, { since: ALL, last: 1 }))) as PruneTail
    expect(await store.write(pruneStep, { tail, isFirst: true, versionsAtOnce: 2 })).toMatchObject({
      snapshots: 0,
    })
    expect(await idsOf(store)).toEqual([8, 6, 5, 4, 3, 2, 1])
    await expect(diff(store, { from: 6, to: 7 })).rejects.toThrow(
      'snapshot 7 was pruned; the nearest kept moment is 6',
    )
    expect(await prune()).toMatchObject({ snapshots: 6 })
    expect(await idsOf(store)).toEqual([8, 5])
  })

  test('pruning starts again where a rollback dropped the snapshots that it counted from', async () => {
    const { store, deps } = await twoDays()
    const tail = (await store.read((tx) => findTail(tx, { since: ALL, last: 2 }))) as PruneTail
    expect(tail).toEqual({ from: 5, head: 6 })
    await rollback(deps, { snapshotId: 4, dropAfter: true })
    expect(await store.write(pruneStep, { tail, isFirst: true })).toMatchObject({
      tail: 'moved',
      isChanged: false,
    })
    expect(await idsOf(store)).toEqual([7, 4, 3, 2, 1])
  })

  test('appended pieces of one day become one piece', async () => {
    const { store, prune } = await twoDays()
    for (const [at, text] of ['a', 'bc', 'd', 'e'].entries())
      await appendTo(store, 0, text, 12 * DAY + at * HOUR)
    await appendTo(store, 0, 'f', 13 * DAY)
    await prune()
    await store.read(async (tx) => {
      const [file] = await tx.documents({ kind: 'file' }, 'whole')
      expect(file?.text).toBe('a\nbc \nd\ne\nf')
      const versions = await tx.documentVersions(file?.id ?? 0, { limit: 9 })
      expect(versions.map(({ text }) => text)).toEqual(['a\nbc \nd\ne\nf', 'a\nbc \nd\ne'])
    })
  })
}

async function live(
  engine: Engine,
  steps: readonly {
    hours: number
    step: Step | More
  }[],
): Promise<number> {
  const model = createModel()
  let now = 10 * DAY
  for (const { hours, step } of steps) {
    now += hours * HOUR
    if (isMore(step)) await runMore(engine.store, step, now)
    else await run(engine, model, step, now)
  }
  return now
}

function isMore(step: Step | More): step is More {
  return step.kind === 'append' || step.kind === 'move document' || step.kind === 'checkpoint'
}

function runMore(store: Store, { kind, at, text }: More, now: number): Promise<void> {
  if (kind === 'append') return appendTo(store, at % 2, text, now)
  return kind === 'checkpoint' ? nameOne(store, at, now) : moveTo(store, at, now)
}

async function moveTo(store: Store, at: number, createdAt: number): Promise<void> {
  const [found] = await store.read((tx) => tx.documents({ kind: 'source' }, 'row'))
  await commit(
    store,
    async (tx, snapshotId) => {
      if (found) await tx.moveDocuments([{ documentId: found.id, address: source(`${at}-${snapshotId}.md`) }])
      else await put(tx, snapshotId, source('first.md'))
    },
    { createdAt },
  )
}

async function nameOne(store: Store, at: number, createdAt: number): Promise<void> {
  const all = await snapshotsOf(store)
  const { id: snapshotId } = all[at % Math.max(1, all.length)] ?? {}
  const row = snapshotId && { name: `c${at % 3}`, snapshotId, author: 'a', createdAt }
  if (row) await writing(store, (tx) => tx.commit({ checkpoints: { put: [row], remove: [] } }))
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
async function keptOf(store: Store, since: number, last: number): Promise<SnapshotRow[]> {
  const snapshots = await snapshotsOf(store)
  const named = (await store.read((tx) => tx.checkpoints())).map(({ snapshotId }) => snapshotId)
  const dayOf = ({ createdAt }: SnapshotRow): number => Math.floor(createdAt / DAY)
  return snapshots.filter((row, at) => {
    const next = snapshots[at - 1]
    return (
      row.createdAt >= since || at < last || !next || dayOf(next) !== dayOf(row) || named.includes(row.id)
    )
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
    const moved = await tx.movedDocuments(id)
    return {
      moved: moved.map(({ snapshotId: _, ...move }) => move).toSorted((a, b) => a.documentId - b.documentId),
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
