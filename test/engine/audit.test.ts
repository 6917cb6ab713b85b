import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linkEntries, NO_ENTRIES } from '../../src/core/audit/chain.ts'
import { oldUpTo } from '../../src/core/audit/retention.ts'
import { verifyChain } from '../../src/core/audit/verify.ts'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { createAuditLog } from '../../src/runtime/upkeep/audit-log.ts'
import { sha256 } from '../../src/util/text/sha256.ts'
import { all } from '../support/audit.ts'
import { temporaryFolder } from '../support/engine.ts'
import { openRecords } from '../support/records.ts'

const ADA = { userId: 'ada', principalId: 'k1', address: '192.0.2.1' }
const RECALLED = { ...ADA, event: 'memory_recalled', subjectKind: 'key', subject: 'plan' }
const START = Date.UTC(2026, 0, 1)

test('retention removes what is old while others write and read, and the chain stays whole', async () => {
  let now = START
  await using memory = await openMemory({
    db: join(temporaryFolder(), 'memory.db'),
    now: () => now,
    settings: { 'store.synchronous': 'normal' },
  })
  const { keys } = memory.by('ada', { caller: ADA })
  const verify = () => memory.audit.read((chain) => verifyChain({ ...chain, sha256 }))
  const removeOld = async (before: number): Promise<void> =>
    memory.audit.trim(await memory.audit.read((chain) => oldUpTo(chain, { before, now })))
  for (let round = 0; round < 8; round++) {
    now = START + round * 1000
    const writing = Array.from({ length: 20 }, (_, at) =>
      keys.remember({ key: `k${at}`, value: `${round}`, tags: [] }),
    )
    memory.audit.record(Array.from({ length: 30 }, () => ({ ...RECALLED, at: now })))
    const trimming = [removeOld(now - 1000), memory.audit.flush(), removeOld(now - 2000)]
    const verified = await Promise.all([verify(), ...trimming, verify(), ...writing])
    expect(verified[0]).toMatchObject({ status: 'ok' })
    expect(await verify()).toMatchObject({ status: 'ok' })
  }
  await removeOld(now)
  const entries = await memory.audit.read((chain) => all(chain.entries))
  expect(entries.map(({ at }) => at)).toEqual(new Array(50).fill(now))
  expect(entries.at(-1)?.number).toBe(8 * 50)
  expect(await verify()).toEqual({ status: 'ok', entries: 50 })
})

test('what cannot be recorded now is recorded later, in its order', async () => {
  const stored: string[] = []
  const problems: number[] = []
  const works = { now: false }
  const timers: (() => void)[] = []
  const log = createAuditLog({
    store: {
      read: () => Promise.reject(new Error('not asked for')),
      async write(_, input) {
        if (!works.now) throw new Error('disk full')
        stored.push(...(input as { events: { subject: string }[] }).events.map(({ subject }) => subject))
        return undefined as never
      },
    },
    redact: (text) => text.replace('secret', '***'),
    onError: (_, events) => problems.push(events),
    setTimer(work) {
      timers.push(work)
      return () => undefined
    },
  })
  const record = (subject: string): void => log.record([{ ...RECALLED, subject, at: 1 }])
  record('first')
  await log.flush()
  // It is tried again without being asked.
  expect(timers).toHaveLength(2)
  record('a secret')
  works.now = true
  await log.flush()
  expect(stored).toEqual(['first', 'a ***'])
  works.now = false
  record('too late')
  await log.close()
  expect(problems).toEqual([1, 1])
  expect(timers).toHaveLength(3)
})

test('entries of a clock that was wrong neither hold up retention nor bring it forward', async () => {
  const upTo = (times: readonly number[], now: number): Promise<number> => {
    const { add = [], head } = linkEntries(
      NO_ENTRIES,
      times.map((at) => ({ ...RECALLED, at })),
      sha256,
    )
    const entries = (async function* () {
      yield add
    })()
    return oldUpTo({ entries, head }, { before: now - 100, now })
  }
  expect(await upTo([], 1000)).toBe(0)
  expect(await upTo([950, 960], 1000)).toBe(0)
  expect(await upTo([800, 899, 900, 950], 1000)).toBe(2)
  // The clock was ahead for a while.
  expect(await upTo([800, 5000, 810, 950], 1000)).toBe(3)
  expect(await upTo([800, 5000, 950], 1000)).toBe(1)
  expect(await upTo([5000, 5001], 1000)).toBe(0)
  // It was behind.
  expect(await upTo([800, 0, 950, 0], 1000)).toBe(2)
  expect(await upTo([950, 0, 960], 1000)).toBe(0)
})

test('a key that is stored where another has expired is created', async () => {
  await using at = await openRecords()
  const { keys } = at.memory.by('ada', { caller: ADA })
  await keys.remember({ key: 'plan', value: 'one', ttlSeconds: 60 })
  at.pass(61_000)
  await keys.remember({ key: 'plan', value: 'two' })
  await keys.remember({ key: 'plan', value: 'three' })
  const entries = await at.memory.audit.read((chain) => all(chain.entries))
  expect(entries.map(({ event }) => event)).toEqual(['memory_created', 'memory_created', 'memory_updated'])
})
