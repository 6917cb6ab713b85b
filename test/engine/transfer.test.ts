import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Engine } from '../../src/core/port/store.ts'
import { readSpace } from '../../src/core/transfer/export.ts'
import { jsonLines } from '../../src/core/transfer/import-lines.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { healthOf } from '../support/health.ts'
import { exportText, importText, piecesOf } from '../support/transfer.ts'
import { exportedHistory, openEmpty, SECRET } from '../support/transfer-history.ts'

let whole: string
beforeEach(async () => {
  whole = await exportedHistory()
})

async function open() {
  const engine = await openEmpty()
  onTestFinished(() => engine.close())
  return engine
}

type Json = Record<string, Record<string, unknown>>

/** The export with one kind of line changed where `change` returns something. */
function changed(kind: string, change: (row: Record<string, unknown>, at: number) => unknown): string {
  let at = 0
  const lines = whole
    .trimEnd()
    .split('\n')
    .map((line) => {
      const json = JSON.parse(line) as Json
      const row = 'remindb' in json ? (kind === 'header' ? json : undefined) : json[kind]
      if (!row) return line
      const next = change(structuredClone(row), at++)
      return next === undefined ? line : JSON.stringify(kind === 'header' ? next : { [kind]: next })
    })
  return `${lines.join('\n')}\n`
}

/** One memory for all refusals: each must leave it as it was. */
let untouched: Engine
beforeAll(async () => {
  untouched = await openEmpty()
})
afterAll(() => untouched.close())

async function refusal(text: string | Uint8Array): Promise<{ code: string; message: string }> {
  const { store } = untouched
  const error = await importText(store, text).then(
    () => ({ code: 'none', message: 'imported' }),
    (thrown) => thrown as { code: string; message: string },
  )
  expect(error.message).not.toContain(SECRET)
  const { counts, headId } = await store.read(readSpace)
  expect([headId, ...Object.values(counts)]).toEqual([null, 0, 0, 0, 0, 0])
  const checks = await store.read(healthOf)
  expect(checks.filter((check) => check.status !== 'pass')).toEqual([])
  return error
}

const set = (kind: string, place: number, fields: Record<string, unknown>) => () =>
  changed(kind, (row, at) => (at === place ? { ...row, ...fields } : undefined))

describe('an import', () => {
  test('gives the memory that was exported', async () => {
    const { store } = await open()
    const counts = await importText(store, whole)
    expect(counts).toMatchObject({ redactions: 0, documents: 5 })
    expect((await exportText(store)).split('\n').slice(1)).toEqual(whole.split('\n').slice(1))
  })

  test('takes an export that an editor or another system has been at', async () => {
    const { store } = await open()
    await importText(store, `\ufeff${whole.replaceAll('\n', '\r\n')}\r\n \n`)
    expect((await exportText(store)).split('\n').slice(1)).toEqual(whole.split('\n').slice(1))
  })

  test('does not merge', async () => {
    const { store } = await open()
    await importText(store, whole)
    await expect(importText(store, whole)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('--db'),
    })
  })

  test('of a newer format says so', async () => {
    expect(await refusal(changed('header', (row) => ({ ...row, version: 2, more: 1 })))).toMatchObject({
      code: 'NEWER_DATABASE',
      message: expect.stringContaining('Upgrade remindb'),
    })
  })

  const cutAt = (share: number) => (): string => whole.slice(0, Math.floor(whole.length * share))
  const lines = (): string[] => whole.trimEnd().split('\n')
  const bytes = (): Buffer => Buffer.from(whole)
  test.each<[string, () => string | Uint8Array, RegExp]>([
    ['nothing', () => '', /^the file is empty/],
    ['blank lines', () => '\n\n', /^the file is empty/],
    ['something else', () => '# Notes\n', /^line 1: is not the header/],
    ['another JSON', () => '{"a":1}\n', /^line 1: is not the header/],
    ['a line without its header', () => lines().slice(1).join('\n'), /^line 1: is not the header/],
    ['something compressed', () => gzipSync(whole), /^the file is compressed/],
    ['another encoding', () => Buffer.from(whole, 'utf16le'), /^line 1: is not/],
    ['a byte that is not UTF-8', () => bytes().fill(0xff, 700, 701), /^line \d+: is not UTF-8/],
    ['half of it', cutAt(0.5), /^line \d+: is not JSON/],
    [
      'whole lines of half of it',
      () => lines().slice(0, 20).join('\n'),
      /^the file ends before its last line/,
    ],
    ['a line less', () => whole.replace(/\n\{"document_version".*/, ''), /^line \d+: the number of lines/],
    ['more after the end', () => `${whole}${lines().at(-2)}\n`, /^line \d+: the line comes after the end/],
    [
      'a line of another kind',
      () => whole.replace('{"end":true}', '{"edges":[]}'),
      /^line \d+: the line must be an object/,
    ],
    [
      'two kinds in a line',
      () => whole.replace('{"end":true}', '{"end":true,"a":1}'),
      /^line \d+: the line must be an object/,
    ],
  ])('refuses %s', async (_name, text, message) => {
    const error = await refusal(text())
    expect(error.code).toBe('INVALID_INPUT')
    expect(error.message).toMatch(message)
    expect(error.message).toMatch(/nothing was imported|unpack it/)
  })

  test.each<[string, () => string, RegExp]>([
    [
      'a snapshot twice',
      () => changed('snapshot', (row, at) => (at === 1 ? { ...row, id: 1 } : undefined)),
      /in order/,
    ],
    ['an unknown parent snapshot', set('snapshot', 2, { parent_id: 77 }), /parent_id is not a snapshot/],
    ['another head', () => changed('header', (row) => ({ ...row, head: 1 })), /line 1: header.head/],
    [
      'an odd cursor_hash',
      () => changed('header', (row) => ({ ...row, cursor_hash: '0'.repeat(16) })),
      /line 1: /,
    ],
    ['a number for a text', set('snapshot', 0, { author: 5 }), /snapshot.author must be a string/],
    ['a number that leaves no room', set('snapshot', 3, { id: 2 ** 53 - 1 }), /whole number from 1 to/],
    [
      'a time that no date has',
      set('snapshot', 0, { created_at: 9e15 }),
      /created_at must be a number from 0/,
    ],
    ['half a character', () => whole.replace('"author":"library"', '"author":"\\ud800"'), /lone surrogates/],
    ['a field too many', set('snapshot', 0, { more: 1 }), /unknown field/],
    ['a field too few', () => whole.replace('"revision":1,', ''), /document.revision is missing/],
    ['an infinite heat', () => whole.replace('"value":0.75', '"value":1e999'), /from 0 to 1/],
    [
      'heat from the future',
      () => whole.replace('"clock":0,"pinned"', '"clock":5,"pinned"'),
      /ahead of the clock/,
    ],
    ['a document out of order', set('document', 1, { id: 1 }), /in order/],
    ['an address twice', () => whole.replace('"path":"b.md"', '"path":"a.md"'), /duplicate/],
    [
      'an address of no door',
      () => whole.replace('"kind":"note"', '"kind":"door"'),
      /address.kind must be one of/,
    ],
    ['an erased document with a text', set('document', 1, { text: 'x' }), /still has a text/],
    ['a digest of another text', set('document', 2, { text: 'x' }), /not that of its text/],
    ['a key twice', set('node', 1, { key: 1 }), /duplicate/],
    [
      'an id twice',
      () => whole.replace(/(?<="key":2,"id":")\w{11}/, /"key":1,"id":"(\w{11})/.exec(whole)?.[1] ?? ''),
      /duplicate/,
    ],
    ['an id of another kind', set('node', 1, { id: '../../../x' }), /eleven letters/],
    [
      'a parent that is not there',
      set('node', 1, { parent_key: 999 }),
      /under its parent when the parent did not exist/,
    ],
    [
      'a node that is its own parent',
      set('node', 0, { parent_key: 1 }),
      /not contain a sound memory \(.*unreachable_nodes/,
    ],
    [
      'a node removed by nobody',
      set('node', 0, { removed: { in: 99, type: 'text', format: 'plain' } }),
      /not a snapshot/,
    ],
    [
      'a removed node that lives',
      set('node', 0, { removed: { in: 1, type: 'text', format: 'plain' } }),
      /does not match/,
    ],
    ['a version of no snapshot', set('version', 0, { snapshot_id: 88 }), /not a snapshot of this file/],
    ['a removal with a state', set('version', 0, { op: 'rem' }), /null for rem/],
    ['an edited text', () => whole.replace('"The last word."', '"The very last word."'), /cursor_hash/],
    ['an odd position', () => whole.replaceAll('"position":"a0"', '"position":"a00"'), /must be a position/],
    ['a label of two lines', () => whole.replace('"label":null', '"label":"a\\nb"'), /one line/],
  ])('refuses %s', async (_name, text, message) => {
    expect(text()).not.toBe(whole)
    const error = await refusal(text())
    expect(error.code).toBe('INVALID_INPUT')
    expect(error.message).toMatch(message)
  })

  test('refuses a history that names a parent that is not there', async () => {
    const text = changed('version', (row, at) => {
      const state = row.state as Record<string, unknown> | null
      return at === 1 && state ? { ...row, state: { ...state, parent_key: 999 } } : undefined
    })
    expect(await refusal(text)).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/parent/),
    })
  })
})

describe('a line', () => {
  const read = async (text: string, maxBytes?: number) => {
    const values: unknown[] = []
    for await (const { value } of jsonLines(piecesOf(text, 3), maxBytes)) values.push(value)
    return values
  }

  test('may be cut anywhere, and the last one may lack its end', async () => {
    expect(await read('{"a":"é🧠"}\n[1]\n\n"x"')).toEqual([{ a: 'é🧠' }, [1], 'x'])
  })

  test('may not be endless', async () => {
    await expect(read(`1\n"${'x'.repeat(100)}"`, 50)).rejects.toThrow(/^line 2: is longer/)
  })

  test('may not be all brackets, but may hold a long text', async () => {
    const long = 'x"\\'.repeat(4_000_000)
    const big = async function* () {
      yield Buffer.from(JSON.stringify({ long }))
    }
    for await (const { value } of jsonLines(big())) expect(value).toEqual({ long })
    const deep = async function* () {
      yield Buffer.from('['.repeat(9_000_000))
    }
    await expect(jsonLines(deep()).next()).rejects.toThrow(/^line 1: has more structure/)
  })
})

describe('the redactor', () => {
  const redact = (text: string): string => text.replaceAll(SECRET, '[gone]')

  test('takes secrets out of every text, label, link and message, and the memory is sound', async () => {
    const { store } = await open()
    expect(whole.split(SECRET).length).toBeGreaterThan(5)
    const { redactions } = await importText(store, whole, redact)
    expect(redactions).toBeGreaterThan(5)
    const text = await exportText(store)
    expect(text).not.toContain(SECRET)
    const checks = await store.read(healthOf)
    expect(checks.filter((check) => check.status !== 'pass')).toEqual([])
    const head = (await store.read((tx) => tx.state())).head
    const recorded = JSON.parse(whole.split('\n')[0] ?? '') as { cursor_hash: string; head: number }
    expect(head?.id).toBe(recorded.head)
    expect(head?.cursorHash).not.toBe(recorded.cursor_hash)
  })

  test('leaves a memory without secrets as it is', async () => {
    const { store } = await open()
    const clean = redact(await exportText((await imported(redact)).store))
    const result = await importText(store, clean, redact)
    expect(result.redactions).toBe(0)
    expect(await exportText(store)).toBe(clean)
  })

  test('changes what an overlay remembers of the file along with the text', async () => {
    const basesIn = (text: string) => [...(text.match(/(?<="base":\{[^}]*"digest":")\w{32}/g) ?? [])]
    const secrets = (whole.match(/(?<="text":")[^"]*/g) ?? []).filter((text) => text.includes(SECRET))
    const bases = secrets.filter((text) => basesIn(whole).includes(contentDigest(text)))
    expect(bases).not.toEqual([])
    const { store } = await imported(redact)
    const after = basesIn(await exportText(store))
    for (const base of bases) expect(after).toContain(contentDigest(redact(base)))
  })

  async function imported(using: (text: string) => string) {
    const engine = await open()
    await importText(engine.store, whole, using)
    return engine
  }
})
