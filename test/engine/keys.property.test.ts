import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isMemoryError } from '../../src/core/errors.ts'
import type { KeyDoor } from '../../src/core/keys/door.ts'
import { expectSound, openWorkspace } from '../support/engine.ts'

/** What a key holds, as simply as it can be said. */
interface Held {
  value: string
  tags: string[]
  endsAt: number
  version: string
  earlier: string[]
}

class Model {
  now = 1_700_000_000_000
  readonly held = new Map<string, Held>()
  readonly redacted = new Set<string>()
  /** What expired or was forgotten still has a history. */
  readonly traces = new Set<string>()

  find(key: string): Held | undefined {
    const held = this.held.get(key)
    return held && held.endsAt > this.now ? held : undefined
  }
}

interface Step {
  do: 'remember' | 'stale' | 'absent' | 'recall' | 'forget' | 'forgetAll' | 'redact' | 'pass' | 'look'
  key: string
  value: string
  tags: string[]
  ttl: number | null
  ms: number
}

const KEYS = ['a', 'A', 'ä', '😀', 'a/b', '_index', 'core', '[[a]]', ' ', '__proto__', '\u0000']
const TAGS = ['t', 'u', 'ü']
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(
    ...(['remember', 'remember', 'remember', 'stale', 'absent', 'recall', 'forget'] as const),
    ...(['forgetAll', 'redact', 'pass', 'look'] as const),
  ),
  key: fc.oneof(fc.constantFrom(...KEYS), fc.string({ unit: 'binary', minLength: 1, maxLength: 5 })),
  value: fc.oneof(
    fc.constantFrom('', ' ', 'one', '# one\n\n[[a]] two', '- x\n- y'),
    fc.string({ unit: 'binary', maxLength: 30 }),
  ),
  tags: fc.uniqueArray(fc.constantFrom(...TAGS)),
  ttl: fc.option(fc.integer({ min: -1, max: 20 })),
  ms: fc.integer({ min: 0, max: 15_000 }),
})

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    return String(await call)
  } catch (error) {
    if (isMemoryError(error)) return error.code
    throw error
  }
}

async function versionOf(keys: KeyDoor, key: string): Promise<string> {
  const content = await keys.recall(key)
  return content.kind === 'redacted' ? '' : content.version
}

async function put(model: Model, keys: KeyDoor, step: Step, status: string): Promise<void> {
  const { key, value, tags, ttl } = step
  const before = model.find(key)
  if (status === 'unchanged') return
  const endsAt = ttl === null ? Infinity : model.now + ttl * 1000
  const earlier = status === 'updated' && before ? [before.value, ...before.earlier] : []
  const held = { value, tags, endsAt, version: '', earlier }
  model.held.set(key, held)
  model.traces.add(key)
  if (model.find(key)) held.version = await versionOf(keys, key)
}

function isSame(held: Held, { value, tags, ttl }: Step, now: number): boolean {
  const endsAt = ttl === null ? Infinity : now + ttl * 1000
  return (
    held.value === value && held.endsAt === endsAt && [...held.tags].sort().join() === [...tags].sort().join()
  )
}

async function run(model: Model, keys: KeyDoor, step: Step): Promise<void> {
  const { key, value, tags, ttl } = step
  const there = model.find(key)
  const input = { key, value, tags, ...(ttl === null ? {} : { ttlSeconds: ttl }) }
  if (step.do === 'remember') {
    const version = there && step.ms % 2 ? { version: there.version } : {}
    const status = await codeOf(keys.remember({ ...input, ...version }))
    const expected = there ? (isSame(there, step, model.now) ? 'unchanged' : 'updated') : 'stored'
    expect(status).toBe(model.redacted.has(key) ? 'REDACTED' : expected)
    if (!model.redacted.has(key)) await put(model, keys, step, status)
  } else if (step.do === 'stale') {
    const status = await codeOf(keys.remember({ ...input, version: '2000-01-01T00:00:00.000000+00:00' }))
    expect(status).toBe(model.redacted.has(key) ? 'REDACTED' : there ? 'CONFLICT' : 'stored')
    if (status === 'stored') await put(model, keys, step, status)
  } else if (step.do === 'absent') {
    const status = await codeOf(keys.rememberIfAbsent(input))
    expect(status).toBe(model.redacted.has(key) ? 'REDACTED' : there ? 'kept' : 'stored')
    if (status === 'stored') await put(model, keys, step, status)
  } else if (step.do === 'forget') {
    const isKnown = there !== undefined || model.redacted.has(key)
    expect(await codeOf(keys.forget(key))).toBe(isKnown ? key : 'NOT_FOUND')
    model.held.delete(key)
    model.redacted.delete(key)
  } else if (step.do === 'forgetAll') {
    const [tag = 't'] = tags
    const gone = [...model.held.keys()].filter((name) => model.find(name)?.tags.includes(tag))
    // Tombstones keep their tags.
    const count = await keys.forgetAll(tag)
    expect(count).toBeGreaterThanOrEqual(gone.length)
    for (const name of gone) model.held.delete(name)
    for (const name of [...model.redacted])
      if ((await codeOf(keys.recall(name))) === 'NOT_FOUND') model.redacted.delete(name)
  } else if (step.do === 'redact') {
    const status = await codeOf(keys.redact({ key }).then(({ status }) => status))
    expect(status).toBe(
      model.redacted.has(key) ? 'already' : model.traces.has(key) ? 'redacted' : 'NOT_FOUND',
    )
    if (status === 'redacted') {
      model.held.delete(key)
      model.traces.delete(key)
      model.redacted.add(key)
    }
  } else if (step.do === 'pass') model.now += step.ms
}

async function compare(model: Model, keys: KeyDoor): Promise<void> {
  for (const key of new Set([...KEYS, ...model.held.keys(), ...model.redacted])) {
    const held = model.find(key)
    const content = await keys.recall(key).catch(() => undefined)
    if (model.redacted.has(key)) expect(content?.kind).toBe('redacted')
    else if (!held) expect(content).toBeUndefined()
    else {
      expect(content).toMatchObject({ kind: 'text', text: held.value, version: held.version })
      expect((await keys.history(key)).versions.map(({ value }) => value)).toEqual(held.earlier)
    }
  }
  const { items: all } = await keys.list({ limit: 500 })
  const held = [...model.held.keys()].filter((key) => model.find(key))
  expect(all.map(({ key }) => key).sort()).toEqual(held.sort())
  for (const tag of TAGS) {
    const { items } = await keys.list({ tag, limit: 500 })
    const expected = [...model.held.keys()].filter((key) => model.find(key)?.tags.includes(tag))
    expect(items.map(({ key }) => key).sort()).toEqual(expected.sort())
  }
}

function countKeys(file: string): number {
  const db = new Sqlite(file, { readonly: true })
  const sql = "SELECT count(*) AS count FROM documents WHERE kind = 'key' AND state <> 'removed'"
  const { count } = db.prepare(sql).get() as { count: number }
  db.close()
  return count
}

test('keys hold what a simple model of them holds, whatever is done', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const model = new Model()
      await using at = await openWorkspace({}, { now: () => model.now })
      const { keys } = at.memory
      for (const one of steps) {
        await run(model, keys, one)
        // Whoever looks at nodes removes what has expired; nobody notices.
        if (one.do === 'look') await at.memory.tree({ warm: false })
      }
      await compare(model, keys)
      const stored = countKeys(at.memory.path)
      expect(await keys.used()).toBe(stored)
      await expectSound(at.memory)
    }),
    { numRuns: 25, interruptAfterTimeLimit: 45_000 },
  )
})
