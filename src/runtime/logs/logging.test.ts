import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { formatRecord } from './log-lines.ts'
import { createLogging, type LoggingOptions } from './logging.ts'

const TIME = 1_737_200_000_123
const ISO = '2025-01-18T11:33:20.123Z'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-logging-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function collector() {
  const lines: string[] = []
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      lines.push(chunk)
      done()
    },
  })
  return { lines, stream }
}

function start(options: Partial<LoggingOptions> = {}) {
  const { lines, stream } = collector()
  const defaults = { level: 'info', format: 'text', output: { stream }, bufferSize: 3 } as const
  return { lines, stream, ...createLogging({ ...defaults, now: () => TIME, ...options }) }
}

describe('a line of text', () => {
  test('has time, level, message and fields', () => {
    const { log, lines } = start()
    log.info('serve: starting', { db: 'mem.db', count: 3, ok: true, none: null, list: [1, 2] })
    log.warn('nothing more')
    expect(lines).toEqual([
      `${ISO} INFO serve: starting db=mem.db count=3 ok=true none=null list=[1,2]\n`,
      `${ISO} WARN nothing more\n`,
    ])
  })

  test('quotes ambiguous values, and escapes terminal control characters', () => {
    const { log, lines } = start()
    log.error('bad\x1b[2J\nthing', {
      a: '',
      b: 'x y',
      c: 'a=b',
      d: '"',
      'e f': '\u202e\x1b]0;\x07\n',
      g: 'ü\\',
    })
    expect(lines).toEqual([
      `${ISO} ERROR bad\\x1b[2J\\nthing a="" b="x y" c="a=b" d="\\"" "e f"="\\u202e\\u001b]0;\\u0007\\n" g="ü\\\\"\n`,
    ])
  })

  test('is always one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (key, value) => {
        for (const format of ['text', 'json'] as const) {
          const line = formatRecord(
            { time: TIME, level: 'INFO', msg: value, attrs: { [key]: value } },
            format,
          )
          expect(line).toMatch(/^[^\p{Cc}\u2028\u2029]+\n$/u)
        }
      }),
    )
  })
})

describe('a line of JSON', () => {
  test('is an object with the fields beside time, level and message', () => {
    const { log, lines } = start({ format: 'json' })
    log.info('a', { count: 3, msg: 'mine', deep: { err: new TypeError('no') } })
    expect(lines).toEqual([
      `{"time":"${ISO}","level":"INFO","msg":"a","count":3,"_msg":"mine","deep.err":"TypeError: no"}\n`,
    ])
  })

  test('gives back any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = formatRecord({ time: TIME, level: 'INFO', msg: text, attrs: { text } }, 'json')
        expect(JSON.parse(line)).toMatchObject({ msg: text, text })
      }),
    )
  })
})

describe('the ring', () => {
  test('is empty before anything is logged', () => {
    expect(start().ring()).toEqual({ records: [], dropped: 0 })
  })

  test('contains exactly the written records, with flat attributes', () => {
    const { log, lines, ring } = start({ level: 'warn' })
    log.debug('a')
    log.info('b')
    log.warn('c', { err: new Error('full'), elapsed_ms: 4, group: { of: 1 } })
    log.of('s1').error('d')
    expect(ring()).toEqual({
      records: [
        { time: TIME, level: 'WARN', msg: 'c', attrs: { err: 'Error: full', elapsed_ms: 4, 'group.of': 1 } },
        { time: TIME, level: 'ERROR', msg: 'd', attrs: { session_id: 's1' } },
      ],
      dropped: 0,
    })
    expect(lines).toHaveLength(2)
  })

  test('keeps the newest, oldest first, and counts the dropped ones', () => {
    const { log, ring } = start({ bufferSize: 3 })
    for (let at = 0; at < 8; at++) log.info(`m${at}`)
    expect(ring().records.map(({ msg }) => msg)).toEqual(['m5', 'm6', 'm7'])
    expect(ring().dropped).toBe(5)
  })

  test('gives answers that later records do not change', () => {
    const { log, ring } = start()
    log.info('a')
    const before = ring()
    log.info('b')
    expect(before.records).toHaveLength(1)
  })
})

describe('a listener', () => {
  test('is called for each written record, and for none after the end', () => {
    const told: string[] = []
    const { log, close } = start({ onRecord: ({ msg }) => void told.push(msg) })
    log.debug('a')
    log.info('b')
    close()
    log.info('c')
    expect(told).toEqual(['b'])
  })

  test('may log, and is not called for that', () => {
    let told = 0
    const { log, ring } = start({
      onRecord: () => {
        told++
        log.info('inner')
      },
    })
    log.info('a')
    log.info('b')
    expect(told).toBe(2)
    expect(ring().records.map(({ msg }) => msg)).toEqual(['inner', 'b', 'inner'])
  })

  test('may fail', () => {
    const { log, ring } = start({
      onRecord: () => {
        throw new Error('no')
      },
    })
    log.info('a')
    expect(ring().records.map(({ msg, attrs }) => [msg, attrs])).toEqual([
      ['a', {}],
      ['log listener failed', { err: 'Error: no' }],
    ])
  })
})

describe('output', () => {
  test('to a terminal clears the line of a progress bar first', () => {
    const { lines, stream } = collector()
    const { log } = start({ output: { stream: Object.assign(stream, { isTTY: true }) } })
    log.info('rescan: applied')
    expect(lines).toEqual([`\r\x1b[2K${ISO} INFO rescan: applied\n`])
  })

  test('to a broken pipe does no harm', async () => {
    const stream = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('EPIPE'), { code: 'EPIPE' })),
    })
    const { log, ring } = start({ output: { stream } })
    log.info('a')
    await new Promise((resolve) => stream.once('close', resolve))
    log.info('b')
    expect(ring().records).toHaveLength(2)
  })

  test('goes to a file for its owner only, in a folder that is created', () => {
    const file = join(temporaryFolder(), 'deep', 'a.log')
    const { log, lines, stream } = start()
    createLoggingTo(file, stream).log.info('a')
    createLoggingTo(file, stream).log.info('b')
    log.info('c')
    expect(readFileSync(file, 'utf8')).toBe(`${ISO} INFO a\n${ISO} INFO b\n`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(lines).toEqual([`${ISO} INFO c\n`])
  })

  test('goes to the stream while the file cannot be written to, with one warning', () => {
    const folder = temporaryFolder()
    const { lines, stream } = collector()
    writeFileSync(join(folder, 'occupied'), '')
    const { log, ring } = createLoggingTo(join(folder, 'occupied', 'a.log'), stream)
    log.info('a')
    log.info('b')
    rmSync(join(folder, 'occupied'))
    log.info('c')
    expect(lines).toEqual([
      expect.stringMatching(/ WARN log file cannot be written err="Error: .*(EEXIST|ENOTDIR)/),
      `${ISO} INFO a\n`,
      `${ISO} INFO b\n`,
    ])
    expect(existsSync(join(folder, 'occupied', 'a.log'))).toBe(true)
    expect(ring().records).toMatchObject([{ level: 'WARN' }, { msg: 'b' }, { msg: 'c' }])
    expect(ring().dropped).toBe(1)
  })

  function createLoggingTo(file: string, stream: Writable) {
    return start({ output: { stream, file } })
  }
})

test('any number of logs to one stream leave one listener on it', () => {
  const { stream } = collector()
  const before = stream.listenerCount('error')
  for (let count = 0; count < 20; count++) start({ output: { stream } }).close()
  expect(stream.listenerCount('error')).toBe(before + 1)
})
