import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isMemoryError } from '../../src/core/errors.ts'
import { rollback } from '../../src/core/history/rollback.ts'
import type { Engine } from '../../src/core/port/store.ts'
import { readSpace } from '../../src/core/transfer/export.ts'
import { RUNS } from '../support/engine-documents.ts'
import { healthOf } from '../support/health.ts'
import { hash } from '../support/store-changes.ts'
import { exportText, importText } from '../support/transfer.ts'
import { exportedHistory, openEmpty, SECRET } from '../support/transfer-history.ts'

const number = fc.nat({ max: 1_000_000 })
/** What a field may be set to: nothing that fits, or something that fits almost. */
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.integer({ min: -2, max: 40 }),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, '', 'a0', 'Zz', 'live', 'removed', 'erased', 'add', 'rem', 'heading', 'text', 'toon'),
  fc.constantFrom(
    '0'.repeat(16),
    'f'.repeat(32),
    'abcdefghijk',
    '\ud800',
    '../x',
    [],
    {},
    [[]],
    'x'.repeat(5000),
  ),
  fc.string(),
)
const mutation = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('set'), at: number, field: number, value }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('copyField'), at: number, from: number, field: number }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleteField'), at: number, field: number }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), at: number }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeat'), at: number, to: number }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('swap'), at: number, to: number }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('garbage'), at: number, text: fc.string() }) },
)
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never

/** Every value inside a line, as the way to it. */
function waysIn(json: unknown, way: string[] = []): string[][] {
  if (typeof json !== 'object' || json === null) return [way]
  return [way, ...Object.entries(json).flatMap(([key, inner]) => waysIn(inner, [...way, key]))]
}

function change(
  line: string,
  field: number,
  edit: (owner: Record<string, unknown>, key: string) => void,
): string {
  const json = JSON.parse(line)
  const ways = waysIn(json).filter((way) => way.length > 0)
  const way = ways[field % ways.length]
  if (!way) return line
  const owner = way.slice(0, -1).reduce((inner, key) => inner[key], json)
  edit(owner, way.at(-1) as string)
  return JSON.stringify(json)
}

function mutate(lines: string[], one: Mutation): string[] {
  const at = one.at % lines.length
  const line = lines[at] as string
  switch (one.kind) {
    case 'set':
      return lines.with(
        at,
        change(line, one.field, (owner, key) => {
          owner[key] = one.value
        }),
      )
    case 'copyField': {
      // Another line's value of the same name: types fit, references may not.
      const other = JSON.parse(lines[one.from % lines.length] as string)
      return lines.with(
        at,
        change(line, one.field, (owner, key) => {
          const way = waysIn(other).find((found) => found.at(-1) === key)
          if (way) owner[key] = way.reduce((inner, step) => inner[step], other)
        }),
      )
    }
    case 'deleteField':
      return lines.with(
        at,
        change(line, one.field, (owner, key) => {
          delete owner[key]
        }),
      )
    case 'delete':
      return lines.toSpliced(at, 1)
    case 'repeat':
      return lines.toSpliced(one.to % lines.length, 0, line)
    case 'swap':
      return lines.with(at, lines[one.to % lines.length] as string).with(one.to % lines.length, line)
    case 'garbage':
      return lines.toSpliced(at, 0, one.text)
  }
}

/** Where it was imported: nothing is wrong with it, it can be exported, and gone back in. */
async function expectSound({ store, maintenance }: Engine): Promise<void> {
  const failing = async () => (await store.read(healthOf)).filter((check) => check.status === 'fail')
  expect(await failing()).toEqual([])
  const text = await exportText(store)
  const copy = await openEmpty()
  try {
    await importText(copy.store, text)
    expect(await exportText(copy.store)).toBe(text)
  } finally {
    await copy.close()
  }
  const deps = { store, maintenance, hash, now: () => 1, author: 'tester', redact: (same: string) => same }
  const snapshots = await store.read((tx) => tx.snapshots({ limit: 100 }))
  for (const { id } of snapshots) {
    await rollback(deps, { snapshotId: id })
    expect(await failing()).toEqual([])
  }
}

test(
  'a file that somebody made up is refused and leaves nothing, or makes a sound memory',
  async () => {
    const whole = (await exportedHistory()).trimEnd().split('\n')
    let engine = await openEmpty()
    const outcomes = { refused: 0, imported: 0 }
    await fc.assert(
      fc.asyncProperty(
        fc.array(mutation, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async (mutations, redacts) => {
          const text = mutations.reduce((lines, one) => mutateSafely(lines, one), whole).join('\n')
          // With something to redact the recorded cursor_hash is not asked for: more gets in.
          const redact = redacts ? (said: string) => said.replaceAll(SECRET, 'gone') : undefined
          try {
            await importText(engine.store, text, redact)
          } catch (error) {
            expect(isMemoryError(error) ? error.code : error).toMatch(/^(INVALID_INPUT|NEWER_DATABASE)$/)
            expect((error as Error).message).not.toContain(SECRET)
            const { headId, counts } = await engine.store.read(readSpace)
            expect([headId, ...Object.values(counts)]).toEqual([null, 0, 0, 0, 0, 0])
            outcomes.refused++
            return
          }
          outcomes.imported++
          const used = engine
          engine = await openEmpty()
          try {
            await expectSound(used)
          } finally {
            await used.close()
          }
        },
      ),
      { numRuns: 200 * RUNS, interruptAfterTimeLimit: 50_000 * RUNS },
    )
    await engine.close()
    expect(outcomes.refused).toBeGreaterThan(10)
    expect(outcomes.imported).toBeGreaterThan(0)
  },
  60_000 * RUNS,
)

/** Garbage is no line that could be changed further. */
function mutateSafely(lines: string[], one: Mutation): string[] {
  try {
    return mutate(lines, one)
  } catch (error) {
    if (error instanceof SyntaxError) return lines
    throw error
  }
}
