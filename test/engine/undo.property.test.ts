import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Engine } from '../../src/core/port/store.ts'
import { openInMemory } from '../../src/store/memory/engine.ts'
import { RUNS } from '../support/engine-documents.ts'
import { hash } from '../support/store-changes.ts'
import { openEmpty } from '../support/transfer-history.ts'
import { AUTHORS, step, World, type WorldState } from '../support/undo-world.ts'

const ENGINES: [string, () => Promise<Engine>][] = [
  ['in memory', async () => openInMemory({ hash })],
  ['SQLite', openEmpty],
]
const history = fc.array(step, { minLength: 4, maxLength: 40, size: 'max' })

/** The nodes and documents of doors that a snapshot changed. */
async function touchedBy(
  { engine }: World,
  ids: readonly number[],
): Promise<{ nodes: Set<string>; documents: Set<number> }> {
  return engine.store.read(async (tx) => {
    const nodes = new Set<string>()
    for (const id of ids)
      for (const row of await tx.versions({ since: id - 1, until: id }, { limit: 10_000 }))
        nodes.add(row.nodeId)
    const versions = await tx.scan('documentVersions', { limit: 10_000 })
    const changed = versions.filter(({ snapshotId }) => ids.includes(snapshotId))
    return { nodes, documents: new Set(changed.map(({ documentId }) => documentId)) }
  })
}

/** Everything outside `except`, to compare. */
function others(state: WorldState, except: { nodes: Set<string>; documents: Set<number> }) {
  return {
    nodes: [...state.nodes].filter(
      ([id, { document }]) => !except.nodes.has(id) && !except.documents.has(document),
    ),
    documents: [...state.documents].filter(([id]) => !except.documents.has(id)),
  }
}

async function check(
  open: () => Promise<Engine>,
  property: (world: World, random: () => number) => Promise<void>,
) {
  await fc.assert(
    fc.asyncProperty(history, fc.infiniteStream(fc.nat({ max: 1000 })), async (steps, stream) => {
      const engine = await open()
      try {
        const world = await World.open(engine)
        for (const one of steps) await world.run(one)
        await property(world, () => stream.next().value as number)
        expect(await world.problems()).toEqual([])
      } finally {
        await engine.close()
      }
    }),
    { numRuns: 25 * RUNS, interruptAfterTimeLimit: 60_000 * RUNS },
  )
}

describe.each(ENGINES)('after any history, %s,', (_, open) => {
  test('doctor finds nothing, and reverting a snapshot leaves everything alone that it did not change', {
    timeout: 90_000 * RUNS,
  }, async () => {
    await check(open, async (world, random) => {
      for (let round = 0; round < 4; round++) {
        const all = await world.snapshots()
        const id = all[random() % Math.max(1, all.length)]?.id
        if (id === undefined) return
        const touched = await touchedBy(world, [id])
        const before = await world.state()
        const force = random() % 2 === 0
        const result = await world.by('ada').revert({ snapshots: [id], force })
        const after = await world.state()
        if (result.status === 'conflict') expect(after).toEqual(before)
        if (!force) expect(others(after, touched)).toEqual(others(before, touched))
        expect(await world.problems()).toEqual([])
      }
    })
  })

  test('a dry run shows exactly what a revert or a restore then changes', {
    timeout: 90_000 * RUNS,
  }, async () => {
    await check(open, async (world, random) => {
      for (let round = 0; round < 4; round++) {
        const all = await world.snapshots()
        const pick = () => all[random() % Math.max(1, all.length)]?.id ?? 1
        const ids = [...(await world.state()).nodes.keys()]
        const me = world.by('bob')
        const calls = [
          (dryRun: boolean) => me.revert({ snapshots: [at, other], force, dryRun }),
          (dryRun: boolean) => me.revert({ author: AUTHORS[at % 2] as string, since: other, force, dryRun }),
          (dryRun: boolean) => me.restore({ id, snapshot: at, force, dryRun }),
        ]
        const [at, other, force] = [pick(), pick(), random() % 2 === 0]
        const id = ids[random() % Math.max(1, ids.length)] ?? 'none'
        const call = calls[random() % calls.length] as (typeof calls)[number]
        const preview = await call(true).catch((error) => error)
        const head = await world.head()
        const result = await call(false).catch((error) => error)
        if (preview instanceof Error) {
          expect(result).toEqual(preview)
          continue
        }
        const isConflict = preview.total > 0 && !force
        const isNothing = preview.changes.length + preview.documents.length === 0
        expect(result.status).toBe(isConflict ? 'conflict' : isNothing ? 'unchanged' : 'done')
        if (result.status === 'conflict') expect(result.conflicts).toEqual(preview.conflicts)
        if (result.status !== 'done') continue
        expect(result).toMatchObject({
          affected: preview.changes.length,
          documents: preview.documents.length,
        })
        const versions = await world.engine.store.read((tx) =>
          tx.versions({ since: head }, { limit: 10_000 }),
        )
        const facts = (rows: typeof versions) =>
          rows.map(({ nodeId, op, new: next }) => JSON.stringify([nodeId, op, next])).toSorted()
        expect(facts(preview.changes)).toEqual(facts(versions))
      }
    })
  })

  test('undoing a restore or a revert brings back everything as it was before', {
    timeout: 90_000 * RUNS,
  }, async () => {
    await check(open, async (world, random) => {
      for (let round = 0; round < 4; round++) {
        const all = await world.snapshots()
        const pick = () => all[random() % Math.max(1, all.length)]?.id ?? 1
        const before = await world.state()
        const ids = [...before.nodes.keys()]
        const id = ids[random() % Math.max(1, ids.length)] ?? 'none'
        const me = world.by('ada')
        const result = await (random() % 2 === 0
          ? me.restore({ id, snapshot: pick(), force: true }).catch(() => undefined)
          : me.revert({ snapshots: [pick()], force: true }).catch(() => undefined))
        if (result?.status !== 'done') continue
        const undone = await me.revert({ snapshots: [result.snapshot.id] })
        expect(undone.status).toBe('done')
        expect(await world.state()).toEqual(before)
        expect(await world.problems()).toEqual([])
      }
    })
  })
})
