import fc from 'fast-check'
import { expect, test } from 'vitest'
import { erase } from '../../src/core/history/erase.ts'
import { rollback } from '../../src/core/history/rollback.ts'
import { NODE_TYPES } from '../../src/core/model.ts'
import { isLive } from '../../src/core/port/rows.ts'
import type { Engine } from '../../src/core/port/store.ts'
import { countedIn } from '../../src/core/rows/counters.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { healthOf } from '../support/health.ts'
import { change, commit, documentText, hash, put } from '../support/store-changes.ts'
import type { OpenEmpty } from './store.ts'
import { createModel, type Model } from './store-model-state.ts'

/** Numbers choose among what there is when the step runs, so that any sequence of steps can be run. */
const choice = fc.nat({ max: 1000 })
const text = fc.oneof(
  fc.constantFrom('', 'alpha', 'beta gamma', 'Alpha beta', 'naïve café', '日本語 text', 'a\u0301b cd'),
  fc.string({ unit: 'binary', maxLength: 12 }).map((odd) => odd.toWellFormed()),
)
export const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('document'),
      at: choice,
      text,
      nodes: fc.array(text, { maxLength: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('edit'),
      at: choice,
      text,
      type: fc.constantFrom(...NODE_TYPES),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move'), at: choice, to: choice }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove'), at: choice }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('revive'), at: choice, text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw'), at: choice }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase'), at: choice }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rollback'), at: choice, dropAfter: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail'), at: choice, text }) },
)
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

export function modelContract(open: OpenEmpty): void {
  test('keeps nodes, texts, counters, index and digest in agreement', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const engine = await open()
        try {
          const model = createModel()
          for (const one of steps) await run(engine, model, one)
          await compare(engine, model)
        } finally {
          await engine.close()
        }
      }),
      { numRuns: 20 },
    )
  })
}

const pick = <T>(items: T[], at: number): T | undefined => items[at % Math.max(1, items.length)]

/** Does what a step says, at a time; by default always at the same. */
export async function run(engine: Engine, model: Model, one: Step, createdAt = 1): Promise<void> {
  const { store } = engine
  const about = { createdAt }
  const deps = { ...engine, hash, now: () => createdAt, author: 'tester', redact: (text: string) => text }
  switch (one.kind) {
    case 'document': {
      const address = { kind: 'key', key: `k${one.at % 5}` } as const
      const { value, snapshot } = await commit(
        store,
        async (tx, id) => {
          const document = await put(tx, id, address, one.text)
          const first = await tx.allocateKeys(one.nodes.length)
          const nodes = one.nodes.map((body, at) => model.newNode(first + at, document.id, body))
          await tx.applyChanges(
            id,
            nodes.map((node) => change('add', node)),
          )
          return { document, nodes }
        },
        about,
      )
      model.put(snapshot.id, value.document.id, address.key, one.text)
      for (const node of value.nodes) model.set(snapshot.id, node)
      return
    }
    case 'edit':
    case 'move':
    case 'remove':
    case 'revive': {
      const node = pick(one.kind === 'revive' ? model.revivable() : model.live(), one.at)
      const next = node && model.change(node, one)
      if (!next) return
      const { snapshot } = await commit(store, (tx, id) => tx.applyChanges(id, next.changes), about)
      for (const changed of next.nodes) model.set(snapshot.id, changed)
      return
    }
    case 'withdraw': {
      const document = pick(model.liveDocuments(), one.at)
      if (!document) return
      const { snapshot } = await commit(store, (tx, id) => tx.dropDocument(document.id, id), about)
      model.withdraw(snapshot.id, document.id)
      return
    }
    case 'erase': {
      const document = pick(model.liveDocuments(), one.at)
      if (!document) return
      const { snapshot } = await erase(deps, { kind: 'key', key: document.key })
      model.erase(snapshot?.id ?? 0, document.id)
      return
    }
    case 'rollback': {
      const target = pick(model.snapshots(), one.at)
      if (target === undefined) return
      const result = await rollback(deps, { snapshotId: target, dropAfter: one.dropAfter })
      if (result.status === 'rolled-back') model.rollback(target, result.snapshot.id, one.dropAfter)
      return
    }
    case 'fail': {
      const failing = commit(store, async (tx, id) => {
        await put(tx, id, { kind: 'key', key: `k${one.at % 5}` }, one.text)
        const removals = model.live().map(({ key }) => ({ op: 'rem', key }) as const)
        await tx.applyChanges(id, removals)
        throw new Error('on purpose')
      })
      await expect(failing).rejects.toThrow('on purpose')
    }
  }
}

async function compare({ store }: Engine, model: Model): Promise<void> {
  await store.read(async (tx) => {
    expect((await healthOf(tx)).filter((check) => check.status === 'fail')).toEqual([])
    const live = model.live()
    const rows = await tx.nodes({ keys: live.map((node) => node.key), removed: true }, 'full')
    expect(rows.map((row) => [row.id, isLive(row), row.parentKey, row.digest])).toEqual(
      live.map((node) => [node.id, true, node.parent?.key ?? null, contentDigest(node.text)]),
    )
    const { counters, indexRows } = await tx.summary({ hot: 0.5, cold: 0.1 })
    expect(countedIn(counters).nodes).toEqual(model.counts())
    expect(indexRows).toBe(live.length)
    expect((await tx.state()).head?.cursorHash ?? model.digest()).toBe(model.digest())
    const stored = await tx.texts(model.everyText().map(contentDigest))
    expect([...stored.values()].toSorted()).toEqual([...model.heldTexts()].toSorted())
    for (const document of model.documents())
      expect([document.key, await documentText(tx, document.id)]).toEqual([document.key, document.text])
  })
}
