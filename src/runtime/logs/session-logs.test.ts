import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LOG_LEVELS } from '../../util/log.ts'
import { flattenFields } from '../../util/log-fields.ts'
import { createLogging } from './logging.ts'
import { entryOf, findSessionLog, listSessionLogs, parseEntry, sessionSlug } from './session-logs.ts'

const TIME = 1_737_200_000_123
const ISO = '2025-01-18T11:33:20.123Z'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-logs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function start(folder = join(temporaryFolder(), 'logs'), maxFileBytes = 1024 * 1024) {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done() })
  const sessionLogs = { folder, maxFileBytes }
  const shared = { level: 'error', format: 'text', output: { stream }, bufferSize: 9 } as const
  return { folder, ...createLogging({ ...shared, sessionLogs, now: () => TIME }) }
}

describe('the log of a session', () => {
  test('has its calls and its warnings at any shared level', async () => {
    const { log, folder, ring } = start()
    const session = log.of('k7f3a9c2')
    session.debug('mcp call', { tool: 'MemoryWrite', elapsed_ms: 4, payload_bytes: 41 })
    session.debug('something else')
    session.info('mcp call failed', { err: new Error('no') })
    session.info('something else')
    session.warn('w')
    session.error('e')
    log.error('of nobody')
    log.of('other').warn('of another')
    expect(await findSessionLog(folder, 'k7f3a9c2')).toEqual({
      session_id: 'k7f3a9c2',
      entries: [
        {
          time: ISO,
          level: 'DEBUG',
          msg: 'mcp call',
          fields: { tool: 'MemoryWrite', elapsed_ms: 4, payload_bytes: 41 },
        },
        { time: ISO, level: 'INFO', msg: 'mcp call failed', fields: { err: 'Error: no' } },
        { time: ISO, level: 'WARN', msg: 'w' },
        { time: ISO, level: 'ERROR', msg: 'e' },
      ],
    })
    expect(ring().records.map(({ msg }) => msg)).toEqual(['e', 'of nobody'])
  })

  test('is JSON lines for its owner only, without empty fields', () => {
    const { log, folder } = start()
    log.of('s').warn('w', { a: '', b: null, c: undefined, d: 0, e: false })
    log.of('s').warn('x', { a: '' })
    const file = join(folder, 's.log')
    expect(readFileSync(file, 'utf8')).toBe(
      `{"time":"${ISO}","level":"WARN","msg":"w","fields":{"d":0,"e":false}}\n{"time":"${ISO}","level":"WARN","msg":"x"}\n`,
    )
    expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700])
  })

  test('starts over when it is full; the previous file is kept and not read', async () => {
    const { log, folder } = start(undefined, 100)
    log.of('s').warn('first')
    log.of('s').warn('second')
    expect(await findSessionLog(folder, 's')).toMatchObject({ entries: [{ msg: 'second' }] })
    expect(readFileSync(join(folder, 's.log.1'), 'utf8')).toContain('first')
    expect((await listSessionLogs(folder, 'db')).logs).toMatchObject([{ session_id: 's', rotated: true }])
  })

  test('that cannot be written is one warning', () => {
    const folder = join(temporaryFolder(), 'logs')
    writeFileSync(folder, 'not a folder')
    const stream = new Writable({ write: (_chunk, _encoding, done) => done() })
    const shared = { level: 'debug', format: 'text', output: { stream }, bufferSize: 9 } as const
    const options = { ...shared, sessionLogs: { folder, maxFileBytes: 99 }, now: () => TIME }
    const { log, ring } = createLogging(options)
    log.of('s').warn('a')
    log.of('s').warn('b')
    const messages = ring().records.map(({ msg }) => msg)
    expect(messages).toEqual(['session log cannot be written', 'a', 'b'])
  })
})

describe('the name of a log', () => {
  test.each([
    ['k7f3a9c2', 'k7f3a9c2'],
    ['A.b_c-1', 'A.b_c-1'],
    ['../../etc/passwd', '..-..-etc-passwd'],
    ['a b😀', 'a-b-'],
    ['', 'session'],
    ['x'.repeat(70), 'x'.repeat(64)],
  ])('of %j is %j', (id, slug) => {
    expect(sessionSlug(id)).toBe(slug)
  })

  test('never leads out of the folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (id) => {
        expect(sessionSlug(id)).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
        expect(sessionSlug(sessionSlug(id))).toBe(sessionSlug(id))
      }),
    )
  })
})

describe('the list of logs', () => {
  test('is empty when there is no folder', async () => {
    const folder = join(temporaryFolder(), 'logs')
    expect(await listSessionLogs(folder, '/a.db')).toEqual({ db_path: '/a.db', logs: [] })
  })

  test('has one entry for each file, by file name, and nothing else', async () => {
    const folder = temporaryFolder()
    for (const name of ['b.log', 'a.log', 'a-b.log', 'a.log.1', 'a.log.lock', 'a b.log', 'x.txt'])
      writeFileSync(join(folder, name), '12345')
    mkdirSync(join(folder, 'c.log'))
    symlinkSync('/etc/passwd', join(folder, 'd.log'))
    for (const name of ['a.log', 'a-b.log', 'b.log']) utimesSync(join(folder, name), 7, 1_737_200_042.9)
    const about = { size_bytes: 5, modified_at: 1_737_200_042 }
    expect((await listSessionLogs(folder, 'db')).logs).toEqual([
      { session_id: 'a-b', ...about, rotated: false },
      { session_id: 'a', ...about, rotated: true },
      { session_id: 'b', ...about, rotated: false },
    ])
  })
})

describe('reading a log', () => {
  test('finds nothing by a name that is none of ours, or by a link', async () => {
    const folder = temporaryFolder()
    const logs = join(folder, 'logs')
    mkdirSync(join(logs, 'sub.log'), { recursive: true })
    writeFileSync(join(folder, 'secret.log'), '')
    writeFileSync(join(logs, 'real.log'), '')
    symlinkSync(join(folder, 'secret.log'), join(logs, 'link.log'))
    symlinkSync('real.log', join(logs, 'alias.log'))
    for (const id of [
      '../secret',
      '..%2fsecret',
      'link',
      'alias',
      'sub',
      'none',
      '',
      '.',
      '..',
      'real\0',
      '*',
    ])
      expect(await findSessionLog(logs, id), id).toBeUndefined()
    expect(await findSessionLog(logs, 'real')).toEqual({ session_id: 'real', entries: [] })
    expect(await findSessionLog(join(folder, 'none'), 'real')).toBeUndefined()
  })

  test('through a link to the home of its folder, not through one that is in there', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'state', 'logs'), { recursive: true })
    writeFileSync(join(folder, 'state', 'logs', 'a.log'), '')
    symlinkSync(folder, join(folder, 'home'))
    expect(await findSessionLog(join(folder, 'home', 'state', 'logs'), 'a')).toBeDefined()
    symlinkSync('logs', join(folder, 'state', 'link'))
    expect(await findSessionLog(join(folder, 'state', 'link'), 'a')).toBeUndefined()
  })

  test('leaves out lines that are not entries', async () => {
    const folder = temporaryFolder()
    const good = `{"time":"${ISO}","level":"WARN","msg":"a"}`
    const bad = ['null', '[]', '{}', '{torn', '{"time":1,"level":"WARN","msg":"a"}']
    const worse = [
      `{"time":"${ISO}","level":"LOUD","msg":"a"}`,
      `{"time":"${ISO}","level":"WARN","msg":"a","fields":[]}`,
    ]
    writeFileSync(join(folder, 'a.log'), [...bad, good, ...worse].join('\n'))
    expect((await findSessionLog(folder, 'a'))?.entries).toEqual([JSON.parse(good)])
  })

  test('never fails, even on a corrupt file', async () => {
    const folder = temporaryFolder()
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (bytes) => {
        writeFileSync(join(folder, 'a.log'), bytes)
        expect(await findSessionLog(folder, 'a')).toMatchObject({ session_id: 'a' })
      }),
      { numRuns: 50 },
    )
    expect(existsSync(join(folder, 'a.log'))).toBe(true)
  })

  test('returns the written entries', () => {
    const record = fc.record({
      time: fc.integer({ min: 0, max: 4_000_000_000_000 }),
      level: fc.constantFrom(...LOG_LEVELS),
      msg: fc.string({ unit: 'binary' }),
      attrs: fc
        .dictionary(fc.string({ unit: 'binary' }), fc.anything({ withBigInt: true }))
        .map(flattenFields),
    })
    fc.assert(
      fc.property(record, (given) => {
        const entry = entryOf(given)
        const line = JSON.parse(JSON.stringify(entry))
        expect(parseEntry(line)).toEqual(line)
        expect(line).toEqual(entry)
      }),
    )
  })
})
