import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recordEvents } from '../../src/core/audit/append.ts'
import { hashOf, linkEntries, NO_ENTRIES } from '../../src/core/audit/chain.ts'
import { type KnownEnd, verifyChain } from '../../src/core/audit/verify.ts'
import type { AuditEntry } from '../../src/core/port/audit.ts'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { auditHeadFile, readAuditHead, writeAuditHead } from '../../src/runtime/upkeep/audit-head.ts'
import { createAuditKeeper } from '../../src/runtime/upkeep/audit-keeper.ts'
import { sha256 } from '../../src/util/text/sha256.ts'
import { filledDatabase, openEngine, tamper } from '../support/store-database.ts'
import { temporaryFolder } from '../support/store-files.ts'

const COUNT = 40
let template: ReturnType<typeof fill> | undefined

const factsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ at: 1_700_000_000_000 + at * 1000, event: at % 3 ? 'memory_recalled' : 'memory_updated' },
    ...{ userId: `user${at % 4}`, principalId: `key${at % 5}`, address: `192.0.2.${at}` },
    ...{ subjectKind: at % 2 ? 'key' : 'node', subject: `name ${at}` },
  }))

/** Made once: every test gets a copy. */
async function fill(): Promise<{ bytes: Buffer; end: KnownEnd }> {
  const file = await filledDatabase()
  const engine = await openEngine(file)
  await engine.store.write(recordEvents, { events: factsOf(COUNT) })
  const [end = NO_ENTRIES] = await engine.store.read((tx) => tx.scan('auditHead', { limit: 1 }))
  await engine.close()
  return { bytes: readFileSync(file), end }
}

/** What is found in a copy that somebody changed. */
async function foundAfter(change: (db: Database) => void, known?: KnownEnd) {
  template ??= fill()
  const { bytes, end } = await template
  const file = join(temporaryFolder(), 'memory.db')
  writeFileSync(file, bytes, { mode: 0o600 })
  tamper(file, change)
  await using memory = await openMemory({ db: file, readOnly: true })
  return memory.audit.read((chain) => verifyChain({ ...chain, known: known ?? end, sha256 }))
}

test('an audit that nobody changed is whole', async () => {
  expect(await foundAfter(() => undefined)).toEqual({ status: 'ok', entries: COUNT })
})

const COLUMNS = [
  ...['number', 'at', 'event', 'user_id', 'principal_id', 'address', 'subject_kind', 'subject', 'hash'],
]

/** The same value with one byte changed; of a number, its digits. */
function changedByte(value: unknown, place: number, by: number): unknown {
  const bytes = value instanceof Buffer ? Buffer.from(value) : Buffer.from(String(value))
  const at = place % bytes.length
  bytes[at] = ((bytes[at] ?? 0) + by) % 256
  if (value instanceof Buffer) return bytes
  return typeof value === 'number' && /^\d+$/.test(bytes.toString())
    ? Number(bytes)
    : bytes.toString('latin1')
}

test('a change of any byte of any entry is found, at that entry', async () => {
  const cases = fc.record({
    number: fc.integer({ min: 1, max: COUNT }),
    column: fc.constantFrom(...COLUMNS.filter((column) => column !== 'number')),
    place: fc.nat(100),
    by: fc.integer({ min: 1, max: 255 }),
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ number, column, place, by }) => {
      const found = await foundAfter((db) => {
        const { value } = db.prepare(`SELECT ${column} AS value FROM audit WHERE number = ?`).get(number) as {
          value: unknown
        }
        db.prepare(`UPDATE audit SET ${column} = ? WHERE number = ?`).run(
          changedByte(value, place, by),
          number,
        )
      })
      expect(found).toMatchObject({ status: 'broken', number })
    }),
    { numRuns: 60 },
  )
})

const exchange = (db: Database, one: number, other: number): void => {
  const columns = COLUMNS.slice(1).join(', ')
  db.exec(`CREATE TEMP TABLE kept AS SELECT * FROM audit WHERE number IN (${one}, ${other})`)
  for (const [to, from] of [
    [one, other],
    [other, one],
  ])
    db.exec(
      `UPDATE audit SET (${columns}) = (SELECT ${columns} FROM kept WHERE number = ${from}) WHERE number = ${to}`,
    )
}

const INSERTED =
  'INSERT INTO audit SELECT number + 1000, space_id, at, event, user_id, principal_id, address, subject_kind, subject, hash FROM audit'

describe('whoever changes rows is found out', () => {
  test.each<[string, number, (db: Database) => void]>([
    ['removes one', 7, (db) => db.exec('DELETE FROM audit WHERE number = 7')],
    ['removes the first', 1, (db) => db.exec('DELETE FROM audit WHERE number = 1')],
    ['removes all', 1, (db) => db.exec('DELETE FROM audit')],
    ['cuts off the end', 31, (db) => db.exec('DELETE FROM audit WHERE number > 30')],
    ['renumbers one', 7, (db) => db.exec('UPDATE audit SET number = 100 WHERE number = 7')],
    ['exchanges two', 11, (db) => exchange(db, 11, 20)],
    ['adds one at the end', 41, (db) => db.exec(`${INSERTED} WHERE number = 40`)],
    [
      'adds one at the beginning',
      0,
      (db) => db.exec(`${INSERTED.replace('number + 1000', '0')} WHERE number = 1`),
    ],
    ['takes the head back', 41, (db) => db.exec('UPDATE spaces SET audit_number = 39')],
    ['changes the head', 41, (db) => db.exec("UPDATE spaces SET audit_hash = x'00'")],
    ['moves the beginning', 1, (db) => db.exec('UPDATE spaces SET audit_removed = 5')],
  ])('%s', async (_, number, change) => {
    expect(await foundAfter(change)).toMatchObject({ status: 'broken', number })
  })

  test('cuts off the end and corrects the head: only what is kept apart tells', async () => {
    const cut = (db: Database): void => {
      db.exec('DELETE FROM audit WHERE number > 30')
      db.exec('UPDATE spaces SET audit_number = 30, audit_hash = (SELECT hash FROM audit WHERE number = 30)')
    }
    expect(await foundAfter(cut)).toMatchObject({ status: 'broken', number: 31 })
    expect(await foundAfter(cut, { number: 29, hash: '' })).toMatchObject({ status: 'broken', number: 29 })
    expect(await foundAfter(cut, { number: 2, hash: 'of the second' })).toMatchObject({ number: 2 })
  })

  const removedUpTo = (db: Database, number: number): void => {
    db.exec(`UPDATE spaces SET audit_removed = ${number},
      audit_removed_hash = coalesce((SELECT hash FROM audit WHERE number = ${number}), x'00')`)
    db.exec(`DELETE FROM audit WHERE number <= ${number}`)
  }

  test('cuts off the beginning as retention does: only what is kept apart tells', async () => {
    template ??= fill()
    const { end } = await template
    const kept = { ...end, removed: 3 }
    expect(await foundAfter((db) => removedUpTo(db, 3), kept)).toMatchObject({ status: 'ok' })
    expect(await foundAfter((db) => removedUpTo(db, 30), kept)).toMatchObject({
      ...{ status: 'broken', number: 4, at: null },
    })
  })

  test('removes everything, and the head tells that retention did it', async () => {
    const wipe = (db: Database): void => {
      removedUpTo(db, 1000)
      db.exec("UPDATE spaces SET audit_number = 1000, audit_hash = x'00'")
    }
    expect(await foundAfter(wipe)).toMatchObject({ status: 'broken', number: COUNT + 1 })
  })

  test('computes the whole chain again: only what is kept apart tells', async () => {
    const forge = (db: Database): void => {
      const facts = factsOf(COUNT).map((one, at) => (at === 3 ? { ...one, subject: 'another' } : one))
      const { add = [], head } = linkEntries(NO_ENTRIES, facts, sha256)
      for (const { number, subject, hash } of add)
        db.prepare('UPDATE audit SET subject = ?, hash = ? WHERE number = ?').run(
          ...[subject, Buffer.from(hash, 'hex'), number],
        )
      db.prepare('UPDATE spaces SET audit_hash = ?').run(Buffer.from(head.hash, 'hex'))
    }
    expect(await foundAfter(forge)).toMatchObject({ status: 'broken', number: COUNT })
  })
})

test('the hash of an entry covers every field', () => {
  const entry = { number: 1, ...factsOf(1)[0] } as AuditEntry
  const before = hashOf(entry, '', sha256)
  for (const name of Object.keys(entry) as (keyof AuditEntry)[])
    expect(hashOf({ ...entry, [name]: `${entry[name]}1` }, '', sha256)).not.toBe(before)
  expect(hashOf(entry, before, sha256)).not.toBe(before)
})

describe('the end that is kept apart', () => {
  const linked = (count: number) => linkEntries(NO_ENTRIES, factsOf(count), sha256)
  /** A chain in memory: `state.count` entries, of which retention removed some. */
  const keeperOf = (
    folder: string,
    state: { count: number; removed?: number },
    { errors = [], now = 0, retentionMs }: { errors?: unknown[]; now?: number; retentionMs?: number } = {},
  ) => {
    const chain = () => {
      const { removed = 0, count } = state
      const { add = [], head } = linked(count)
      const removedHash = add[removed - 1]?.hash ?? ''
      return {
        head: { ...head, removedNumber: removed, removedHash },
        after: async (number: number) => add.slice(Math.max(number, removed)),
        find: async (number: number) => (number > removed ? add[number - 1] : undefined),
        entries: (async function* () {
          yield add.slice(removed)
        })(),
      }
    }
    return createAuditKeeper({
      ...{ folder, retentionMs, now: () => now },
      async trim(upTo) {
        // What is removed next was announced before.
        expect(readAuditHead(folder)?.removed).toBe(upTo)
        state.removed = upTo
      },
      read: async (fn) => fn(chain()),
      onError: (error) => errors.push(error),
    })
  }

  test('is only for its owner, and follows the chain', async () => {
    const folder = temporaryFolder()
    const state = { count: 0 }
    const keeper = keeperOf(folder, state)
    keeper.changed()
    await keeper.close()
    expect(readAuditHead(folder)).toBeUndefined()
    state.count = 3
    keeper.changed()
    await keeper.close()
    expect(readFileSync(auditHeadFile(folder), 'utf8')).toBe(
      `${JSON.stringify({ number: 3, hash: linked(3).head.hash, removed: 0 })}\n`,
    )
  })

  test('is written at the start: the process before may have been killed', async () => {
    const folder = temporaryFolder()
    await writeAuditHead(folder, { number: 2, hash: linked(2).head.hash })
    await keeperOf(folder, { count: 5 }).close()
    expect(readAuditHead(folder)).toEqual({ number: 5, hash: linked(5).head.hash, removed: 0 })
  })

  test('has what retention removes, before it is removed', async () => {
    const folder = temporaryFolder()
    const { at } = factsOf(10)[6] ?? { at: 0 }
    const state = { count: 10, removed: 0 }
    const errors: unknown[] = []
    await keeperOf(folder, state, { errors, now: at + 1000, retentionMs: 1000 }).close()
    expect(state.removed).toBe(6)
    expect(readAuditHead(folder)).toEqual({ number: 10, hash: linked(10).head.hash, removed: 6 })
    expect(errors).toEqual([])
  })

  test('never follows a chain that lost entries or was made again, and says so once', async () => {
    const folder = temporaryFolder()
    const errors: unknown[] = []
    for (const [kept, state] of [
      [{ number: 5, hash: linked(5).head.hash }, { count: 4 }],
      [{ number: 2, hash: 'of another chain' }, { count: 4 }],
      [
        { number: 4, hash: linked(4).head.hash, removed: 1 },
        { count: 4, removed: 2 },
      ],
      [
        { number: 2, hash: linked(2).head.hash },
        { count: 4, removed: 3 },
      ],
    ] as const) {
      await writeAuditHead(folder, kept)
      const keeper = keeperOf(folder, state, { errors, now: Number.MAX_SAFE_INTEGER, retentionMs: 1 })
      keeper.changed()
      await keeper.close()
      keeper.changed()
      await keeper.close()
      expect(readAuditHead(folder)).toEqual(kept)
    }
    expect(errors.map(String)).toEqual(new Array(4).fill(expect.stringContaining('remindb audit verify')))
  })

  test('is refused where somebody changed the file', () => {
    const folder = temporaryFolder()
    for (const text of ['{"number":"5"}', '{"number":1,"hash":"","removed":"x"}', 'null', '']) {
      writeFileSync(auditHeadFile(folder), text)
      expect(() => readAuditHead(folder)).toThrow('audit-head.json was changed')
    }
    rmSync(auditHeadFile(folder))
    expect(readAuditHead(dirname(auditHeadFile(folder)))).toBeUndefined()
  })
})
