import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadXxh64 } from '../../util/text/xxh64.ts'
import { createLedgerReader } from './ledger.ts'
import {
  clientFileName,
  clientHash,
  findHashIn,
  foldOlder,
  type LedgerLine,
  lineOf,
  newestLines,
  parseLine,
  sumUp,
} from './ledger-lines.ts'

const CLIENT = { name: 'claude-code', version: '1.2.0', protocol: '2025-06-18' }
const hash = await loadXxh64()

function line(fields: Partial<LedgerLine> = {}): LedgerLine {
  return {
    session_id: 's',
    client: CLIENT,
    transport: 'stdio',
    connected_at: 100,
    last_seen: 110,
    tool_calls: 2,
    ...fields,
  }
}
const newest = (...lines: LedgerLine[]): LedgerLine[] =>
  newestLines(lines.map((value) => ({ value, text: '' }))).map(({ session }) => session)

describe('the hash of a client', () => {
  test('is the published one', () => {
    expect(clientHash(hash, CLIENT, 'stdio')).toBe('82PekaloKgm')
    expect(clientHash(hash, { ...CLIENT, title: '' }, 'stdio')).toBe('82PekaloKgm')
  })

  test('differs with each thing it says of itself, and the way it comes in', () => {
    const hashes = [
      clientHash(hash, CLIENT, 'stdio'),
      clientHash(hash, CLIENT, 'http'),
      clientHash(hash, { ...CLIENT, name: 'x' }, 'stdio'),
      clientHash(hash, { ...CLIENT, title: 'x' }, 'stdio'),
      clientHash(hash, { ...CLIENT, version: 'x' }, 'stdio'),
      clientHash(hash, { ...CLIENT, protocol: 'x' }, 'stdio'),
    ]
    expect(new Set(hashes).size).toBe(hashes.length)
  })
})

describe('the file of a client', () => {
  test.each([
    ['claude-code', 'claude-code'],
    ['Claude Code (beta) 2', 'claude-code-beta-2'],
    ['--a__b--', 'a-b'],
    ['../../etc', 'etc'],
    ['你好', 'client'],
    ['', 'client'],
    ['x'.repeat(50), 'x'.repeat(40)],
  ])('%j begins with %j', (name, slug) => {
    const file = clientFileName('82PekaloKgm', { ...CLIENT, name })
    expect(file).toBe(`${slug}-82PekaloKgm.jsonl`)
    expect(findHashIn(file)).toBe('82PekaloKgm')
  })

  test('has a hash that is found again for any client name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const client = { ...CLIENT, name }
        const id = clientHash(hash, client, 'http')
        expect(findHashIn(clientFileName(id, client))).toBe(id)
      }),
    )
  })

  test.each([
    '82PekaloKgm.jsonl',
    'a-82PekaloKgm.jsonl.1',
    'a-82PekaloKgm.jsonl.lock',
    '.a-82PekaloKgm.jsonl.x.part',
  ])('is not %s', (name) => expect(findHashIn(name)).toBeUndefined())
})

describe('lines', () => {
  test('are read as they were written', () => {
    const client = fc.record(
      { name: fc.string(), title: fc.string({ minLength: 1 }), version: fc.string(), protocol: fc.string() },
      { requiredKeys: ['name', 'version', 'protocol'] },
    )
    const session = fc.record({
      id: fc.string({ minLength: 1 }),
      client_meta: client,
      transport: fc.constantFrom('stdio' as const, 'http' as const),
      connected_at: fc.nat(),
      last_activity: fc.integer({ min: 1, max: 4_000_000_000 }),
      count_tool_calls: fc.nat(),
    })
    fc.assert(
      fc.property(session, fc.integer({ min: 1 }), fc.boolean(), (given, lastSeen, hasEnded) => {
        const written = lineOf({ session: given, lastSeen }, hasEnded)
        expect(parseLine(JSON.parse(JSON.stringify(written)))).toEqual(written)
      }),
    )
  })

  test.each([
    null,
    [],
    'text',
    {},
    { ...line(), session_id: '' },
    { ...line(), transport: 'pigeon' },
    { ...line(), client: null },
    { ...line(), client: { ...CLIENT, version: 1 } },
    { ...line(), last_seen: -1 },
    { ...line(), tool_calls: 1.5 },
    { ...line(), connected_at: '100' },
    { ...line(), disconnected_at: 'never' },
    { ...line(), sessions: -1, lifetime_seconds: 1 },
    { ...line(), sessions: 2, lifetime_seconds: 'long' },
  ])('are not %j', (value) => expect(parseLine(value)).toBeUndefined())

  test('count once for a session: the newest, even if an older one follows it', () => {
    const ended = line({ disconnected_at: 110 })
    expect(newest(line(), line({ last_seen: 120 }))).toEqual([line({ last_seen: 120 })])
    expect(newest(line({ last_seen: 120 }), line())).toEqual([line({ last_seen: 120 })])
    expect(newest(line({ tool_calls: 3 }), line())).toEqual([line({ tool_calls: 3 })])
    expect(newest(ended, line())).toEqual([ended])
    expect(newest(line(), ended)).toEqual([ended])
  })

  test('are ordered by when a session began, then by id', () => {
    const ids = newest(
      line({ session_id: 'b' }),
      line({ session_id: 'c', connected_at: 50 }),
      line({ session_id: 'a' }),
    )
    expect(ids.map(({ session_id }) => session_id)).toEqual(['c', 'a', 'b'])
  })
})

describe('the sum of sessions', () => {
  test('has their time to the end, or to when they were last seen, and never less than none', () => {
    const sessions = [
      line({ connected_at: 100, last_seen: 110 }),
      line({ connected_at: 100, last_seen: 110, disconnected_at: 115 }),
      line({ connected_at: 200, last_seen: 150 }),
    ]
    const sum = { sessions: 3, lifetime_seconds: 25, last_disconnect: 115, tool_calls: 6 }
    expect(sumUp('h', sessions)).toEqual({ hash: 'h', client: CLIENT, transport: 'stdio', ...sum })
  })

  test('is the same if the older sessions are one line', () => {
    const session = fc.record({
      connected_at: fc.nat(1000),
      last_seen: fc.nat(1000),
      tool_calls: fc.nat(9),
      hasEnded: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(session, { maxLength: 20 }), fc.nat(20), fc.nat(20), (given, first, second) => {
        const lines = given.map(({ hasEnded, ...rest }, at) =>
          line({ ...rest, session_id: `s${at}`, ...(hasEnded && { disconnected_at: rest.last_seen + 1 }) }),
        )
        const sessions = newestLines(lines.map((value) => ({ value, text: JSON.stringify(value) })))
        const folded = foldOlder(foldOlder(sessions, first), second)
        const read = newestLines(folded.map(({ text }) => ({ text, value: JSON.parse(text) })))
        const sumOf = (of: typeof sessions) =>
          sumUp(
            'h',
            of.map((one) => one.session),
          )
        expect(sumOf(read)).toEqual(sumOf(sessions))
        const running = lines.filter((one) => one.disconnected_at === undefined).length
        expect(folded.length).toBeLessThanOrEqual(Math.min(first, second) + running + 1)
      }),
    )
  })

  test('of nothing is nothing', () => expect(sumUp('h', [])).toBeUndefined())
})

test('reading never fails, even on corrupt files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-ledger-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { sessionsHistory } = createLedgerReader({ folder, dbPath: '' })
  const json = fc.jsonValue().map((value) => Buffer.from(`${JSON.stringify(value)}\n`))
  await fc.assert(
    fc.asyncProperty(fc.oneof(json, fc.uint8Array({ maxLength: 300 })), async (bytes) => {
      const file = join(folder, 'a-00000000000.jsonl')
      writeFileSync(file, Buffer.concat([bytes, Buffer.from(`\n${JSON.stringify(line())}\n`), bytes]))
      expect((await sessionsHistory()).clients).toMatchObject([{ sessions: 1, lifetime_seconds: 10 }])
    }),
    { numRuns: 50 },
  )
})
