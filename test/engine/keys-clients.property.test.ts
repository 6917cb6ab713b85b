import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isMemoryError } from '../../src/core/errors.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { openWorkspace } from '../support/engine.ts'

const CLIENTS = ['ada/k1', 'ada/k2', 'ada'] as const
const KEYS = ['a', 'b', 'ä/b', '_index', 'ada/k1']
const ACTIONS = ['remember', 'remember', 'absent', 'blob', 'forget', 'forgetAll', 'redact', 'restore', 'pass']

interface Step {
  action: string
  client: string
  key: string
  ttl: number | undefined
}

/** Whose each key is, and what is left of it. */
type Model = Map<string, { client: string; isRedacted: boolean; endsAt: number; isTagged: boolean }>

const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom(...ACTIONS),
  client: fc.constantFrom(...CLIENTS),
  key: fc.constantFrom(...KEYS),
  ttl: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
})

/** A call that fails changes nothing. */
async function isDone(call: Promise<unknown>): Promise<boolean> {
  try {
    return (await call) !== 'kept'
  } catch (error) {
    if (isMemoryError(error)) return false
    throw error
  }
}

async function act(memory: Memory, model: Model, { action, client, key, ttl }: Step, now: number) {
  const { keys } = memory.by(client)
  const ttlSeconds = action !== 'blob' && ttl !== undefined ? { ttlSeconds: ttl } : {}
  const given = { key, tags: ttl === undefined ? ['t'] : [] }
  const store = {
    remember: () => keys.remember({ ...given, value: `by ${client} at ${now}`, ...ttlSeconds }),
    absent: () => keys.rememberIfAbsent({ ...given, value: `by ${client}`, ...ttlSeconds }),
    blob: () => keys.rememberBlob({ ...given, data: 'AAAA', contentType: 'image/png' }),
  }[action]
  if (store) {
    if (!(await isDone(store()))) return
    const found = model.get(key)
    const isNew = !found || found.endsAt <= now
    const endsAt = action === 'blob' || ttl === undefined ? Infinity : now + ttl * 1000
    const owner = isNew ? client : found.client
    if (action === 'absent' && !isNew) return
    model.set(key, { client: owner, isRedacted: false, endsAt, isTagged: ttl === undefined })
  } else if (action === 'forget') {
    if (await isDone(keys.forget(key))) model.delete(key)
  } else if (action === 'forgetAll') {
    await keys.forgetAll('t')
    for (const [name, { isTagged, endsAt }] of model) if (isTagged && endsAt > now) model.delete(name)
  } else if (action === 'redact') {
    if (!(await isDone(keys.redact({ key })))) return
    const found = model.get(key)
    // What was forgotten before is nobody's.
    if (!found) model.set(key, { client: '', isRedacted: true, endsAt: Infinity, isTagged: false })
    else if (!found.isRedacted) model.set(key, { ...found, isRedacted: true, endsAt: Infinity })
  } else if (action === 'restore') {
    const { versions } = await keys.history(key).catch(() => ({ versions: [] }))
    const [earlier] = versions
    if (earlier && (await isDone(keys.restore({ key, versionTimestamp: earlier.version_timestamp })))) {
      const found = model.get(key)
      if (found) model.set(key, { ...found, isTagged: earlier.tags.length > 0 })
    }
  }
}

async function expectIsolated(memory: Memory, model: Model, now: number): Promise<void> {
  const isThere = ({ isRedacted, endsAt }: { isRedacted: boolean; endsAt: number }) =>
    !isRedacted && endsAt > now
  for (const owner of CLIENTS) {
    const observer = memory.observer.for({ owner })
    const own = [...model].filter(([, { client }]) => client === owner)
    const shown = own.filter(([, held]) => isThere(held)).map(([key]) => key)
    expect(await observer.keyIndex()).toEqual({ keys: shown.sort(), isCut: false })
    for (const key of KEYS) {
      const held = model.get(key)
      const expected =
        held?.client !== owner
          ? undefined
          : held.isRedacted
            ? 'redacted'
            : isThere(held)
              ? 'there'
              : undefined
      const found = await observer.findKey(key)
      expect(found?.kind === 'redacted' ? 'redacted' : found && 'there').toBe(expected)
      if (held?.client !== owner) expect(await observer.keyVersion(key)).toBe('')
    }
  }
}

test('whatever clients do, none is shown a key of another', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), async (steps) => {
      let now = 1_700_000_000_000
      await using at = await openWorkspace({}, { now: () => now })
      const model: Model = new Map()
      for (const one of steps) {
        if (one.action === 'pass') now += 1000
        else await act(at.memory, model, one, now)
        await expectIsolated(at.memory, model, now)
      }
    }),
    { numRuns: 25, endOnFailure: true },
  )
}, 60_000)
