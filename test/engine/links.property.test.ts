import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GraphEnvelope } from '../../src/core/observe/graph.ts'
import { flat, openWorkspace, stateOf, type Workspace } from '../support/engine.ts'
import { RUNS } from '../support/engine-documents.ts'
import { leads } from '../support/leads.ts'
import { type ModelFile, naiveTarget, textOf } from '../support/link-model.ts'

const TIMEOUT = { timeout: 60_000 * RUNS }

const NAMES = ['Alpha', 'alpha ', 'Beta', 'Environment']
const PATHS = ['a.md', 'b.md', 'sub/a.md']

const link = fc
  .record({
    label: fc.constantFrom(...NAMES, 'Nowhere', 'a', 'sub/a', 'b#Alpha', 'B.md|b', '#^b1', 'a#^b1', 'Zed'),
    weight: fc.constantFrom('', '; w=2', '; w=0.5'),
    source: fc.constantFrom('', '; source=a.md', '; source=sub/a.md', '; source=b'),
  })
  .map(({ label, weight, source }) => `[[${label}${weight}${source}]]`)
const block = fc.oneof(
  fc.constantFrom(...NAMES).map((name) => `# ${name}`),
  fc.constantFrom(...NAMES).map((name) => `## ${name}`),
  fc.constantFrom('A block ^b1', '[x](a.md)', '[x](../b.md#beta)', '---\naliases: [Zed, Beta]\n---'),
  fc.array(link, { minLength: 1, maxLength: 3 }).map((links) => `See ${links.join(' and ')}.`),
)
const text = fc.array(block, { maxLength: 6 }).map((blocks) => blocks.join('\n\n'))
const path = fc.constantFrom(...PATHS)
const place = fc.nat({ max: 50 })

type Step =
  | { do: 'file'; path: string; text: string }
  | { do: 'delete'; path: string }
  | { do: 'write'; text: string }
  | { do: 'edit' | 'forget'; at: number; text: string }
  | { do: 'relate'; from: number; to: number; label: string }
  | { do: 'rollback'; to: number; drop: boolean }
  | { do: 'erase'; path: string }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('file' as const), path, text }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), path }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('write' as const), text }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('edit', 'forget'), at: place, text }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('relate' as const),
      from: place,
      to: place,
      label: fc.constantFrom('', ...NAMES),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rollback' as const), to: place, drop: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), path }) },
)

async function take(at: Workspace, one: Step): Promise<void> {
  const { memory } = at
  const ids = flat(await stateOf(memory)).map(({ id }) => id)
  const pick = (n: number): string => ids[n % Math.max(1, ids.length)] ?? ''
  const isPossible = ids.length > 0
  switch (one.do) {
    case 'file':
      return void (await at.compile({ [one.path]: one.text }))
    case 'delete':
      at.file(one.path, '')
      at.remove(one.path)
      return void (await at.compile())
    case 'write':
      return void (one.text !== '' && (await memory.write({ payload: one.text })))
    case 'edit':
      if (isPossible && one.text !== '') await memory.write({ anchor: pick(one.at), payload: one.text })
      return
    case 'forget':
      if (isPossible) await memory.forget({ id: pick(one.at), mode: 'cascade' })
      return
    case 'relate':
      if (!isPossible) return
      await memory.relate({
        sourceId: pick(one.from),
        ...(one.label === '' ? { targetId: pick(one.to) } : { targetLabel: one.label }),
      })
      return
    case 'rollback': {
      const snapshots = await memory.snapshots({ limit: 100 })
      const target = snapshots[one.to % Math.max(1, snapshots.length)]
      if (target) await memory.rollback({ snapshotId: target.id, dropAfter: one.drop })
      return
    }
    case 'erase':
      await memory.erase({ kind: 'source', root: at.folder, path: one.path }).catch(() => undefined)
  }
}

/** The links of texts by what they say, for memories that have other ids. */
function parsedLinks({ nodes, edges, pending }: GraphEnvelope): string[] {
  const labels = new Map(nodes.map(({ id, label }) => [id, label]))
  const found = edges
    .filter(({ origin }) => origin === 'parsed')
    .map(({ source, target, weight }) => `${labels.get(source)} -> ${labels.get(target)} ${weight}`)
  const waiting = pending
    .filter(({ origin }) => origin === 'parsed')
    .map(({ source, ...wanted }) => `${labels.get(source)} ${JSON.stringify(wanted)}`)
  return [...found, ...waiting].sort()
}

test(
  'whatever happens, links are what the texts ask for, lead where they should and are counted right',
  TIMEOUT,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        await using at = await openWorkspace()
        for (const one of steps) {
          await take(at, one)
          const { checks } = await at.memory.doctor()
          expect(checks.filter(({ status }) => status !== 'pass')).toEqual([])
          const { edges, pending } = await at.memory.graph()
          expect((await at.memory.overview()).relations).toMatchObject({
            total: edges.length,
            pending: pending.length,
          })
        }
      }),
      { numRuns: 20 * RUNS, interruptAfterTimeLimit: 45_000 * RUNS },
    )
  },
)

test('a folder gives the same links however it was compiled', TIMEOUT, async () => {
  const folder = fc.dictionary(path, text, { minKeys: 1, maxKeys: 3 })
  await fc.assert(
    fc.asyncProperty(folder, fc.shuffledSubarray(PATHS, { minLength: 3 }), async (files, order) => {
      await using whole = await openWorkspace(files)
      await using parts = await openWorkspace()
      for (const name of order) if (files[name] !== undefined) await parts.compile({ [name]: files[name] })
      expect(parsedLinks(await parts.memory.graph())).toEqual(parsedLinks(await whole.memory.graph()))
    }),
    { numRuns: 20 * RUNS, interruptAfterTimeLimit: 45_000 * RUNS },
  )
})

const MODEL_PATHS = [
  'a.md',
  'B.md',
  'sub/a.md',
  'sub/deep/b.md',
  'other/a.md',
  'other/c.md',
  'other/deep/c.md',
]
const WORDS = ['Alpha', 'Beta', 'a', 'C']
const modelFile = (path: string): fc.Arbitrary<ModelFile> =>
  fc.record({
    path: fc.constant(path),
    aliases: fc.uniqueArray(fc.constantFrom('Alpha', 'b', 'Zed'), { maxLength: 2 }),
    headings: fc.uniqueArray(fc.constantFrom(...WORDS), { maxLength: 3 }),
    links: fc.uniqueArray(
      fc.constantFrom(
        ...['a', 'b', 'C', 'alpha', 'BETA', 'Zed', 'a.md', 'sub/a', 'deep/b', 'Other/A', 'no/a', 'b|shown'],
        ...['#Beta', 'a#Alpha', 'c#beta|x', 'Zed#Beta', 'other/a#a', 'beta#alpha', 'alpha#nowhere'],
      ),
      { maxLength: 4 },
    ),
  })
const modelFolder = fc
  .subarray(MODEL_PATHS)
  .chain((paths) => fc.tuple(...paths.map(modelFile)) as fc.Arbitrary<ModelFile[]>)

test('links lead where reading every file says they do, whatever was there before', TIMEOUT, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(modelFolder, { minLength: 1, maxLength: 3 }), async (folders) => {
      await using at = await openWorkspace()
      for (const files of folders) {
        for (const path of MODEL_PATHS) {
          at.file(path, '')
          at.remove(path)
        }
        await at.compile(Object.fromEntries(files.map((file) => [file.path, textOf(file)])))
        const expected = files.flatMap((file) =>
          file.links.map((link, place) => [
            `Link ${place} of ${file.path} [[${link}]]`,
            naiveTarget(files, file, link),
          ]),
        )
        // Equal links of one text would be one; here each is in its own.
        expect(await leads(at.memory)).toEqual(Object.fromEntries(expected))
        const { checks } = await at.memory.doctor()
        expect(checks.filter(({ status }) => status !== 'pass')).toEqual([])
      }
    }),
    { numRuns: 15 * RUNS, interruptAfterTimeLimit: 45_000 * RUNS },
  )
})
