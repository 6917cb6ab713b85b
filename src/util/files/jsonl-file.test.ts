import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startWriter } from '../../../test/support/jsonl-children.ts'
import { appendJsonl, readJsonl } from './jsonl-file.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-jsonl-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const read = (file: string): string => readFileSync(file, 'utf8')

describe('appendJsonl', () => {
  test('creates the folder and the file for their owner only', async () => {
    const file = join(temporaryFolder(), 'deep', 'a.jsonl')
    appendJsonl(file, { a: 1 })
    appendJsonl(file, { b: 'ü\n' })
    expect(read(file)).toBe('{"a":1}\n{"b":"ü\\n"}\n')
    expect(await readJsonl(file)).toEqual([{ a: 1 }, { b: 'ü\n' }])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
  })

  test('creates no folder above that: a folder that was moved away does not return', () => {
    const folder = join(temporaryFolder(), 'source')
    expect(() => appendJsonl(join(folder, '.state', 'a.jsonl'), {})).toThrow('ENOENT')
    expect(existsSync(folder)).toBe(false)
  })

  test('begins a new line after half a line', async () => {
    const file = join(temporaryFolder(), 'a.jsonl')
    writeFileSync(file, '{"a":1}\n{"b":')
    appendJsonl(file, { c: 3 })
    expect(await readJsonl(file)).toEqual([{ a: 1 }, { c: 3 }])
  })

  test('does not follow a link', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'theirs'), '')
    symlinkSync('theirs', join(folder, 'a.jsonl'))
    expect(() => appendJsonl(join(folder, 'a.jsonl'), {})).toThrow('is a symbolic link')
    expect(read(join(folder, 'theirs'))).toBe('')
  })
})

describe('rotation of a log file', () => {
  const LINE_BYTES = '{"a":1}\n'.length

  test('happens if a line does not fit, and keeps the previous file', () => {
    const file = join(temporaryFolder(), 'a.jsonl')
    const options = { maxBytes: 2 * LINE_BYTES }
    appendJsonl(file, { a: 1 }, options)
    appendJsonl(file, { a: 2 }, options)
    expect(existsSync(`${file}.1`)).toBe(false)
    appendJsonl(file, { a: 3 }, options)
    expect([read(`${file}.1`), read(file)]).toEqual(['{"a":1}\n{"a":2}\n', '{"a":3}\n'])
    appendJsonl(file, { a: 4 }, options)
    appendJsonl(file, { a: 5 }, options)
    expect([read(`${file}.1`), read(file)]).toEqual(['{"a":3}\n{"a":4}\n', '{"a":5}\n'])
    expect(readdirSync(join(file, '..')).sort()).toEqual(['a.jsonl', 'a.jsonl.1'])
  })

  test('does not happen for an empty file: an overlong line is still written', () => {
    const file = join(temporaryFolder(), 'a.jsonl')
    writeFileSync(file, '')
    appendJsonl(file, { a: 'long' }, { maxBytes: 1 })
    expect(read(file)).toBe('{"a":"long"}\n')
    expect(existsSync(`${file}.1`)).toBe(false)
  })

  test('is left to another process that holds the lock', () => {
    const file = join(temporaryFolder(), 'a.jsonl')
    writeFileSync(`${file}.lock`, '')
    appendJsonl(file, { a: 1 }, { maxBytes: 1 })
    appendJsonl(file, { a: 2 }, { maxBytes: 1 })
    expect(read(file)).toBe('{"a":1}\n{"a":2}\n')
    expect(existsSync(`${file}.lock`)).toBe(true)
  })

  test('does not wait for a process that died holding the lock', () => {
    const file = join(temporaryFolder(), 'a.jsonl')
    writeFileSync(`${file}.lock`, '')
    utimesSync(`${file}.lock`, 1, 1)
    appendJsonl(file, { a: 1 }, { maxBytes: 1 })
    appendJsonl(file, { a: 2 }, { maxBytes: 1 })
    expect(read(file)).toBe('{"a":2}\n')
    expect(readdirSync(join(file, '..')).sort()).toEqual(['a.jsonl', 'a.jsonl.1'])
  })
})

describe('several processes that append to one file', () => {
  const COUNT = 500

  async function writeTogether(file: string, maxBytes?: number): Promise<void> {
    const writers = ['a', 'b', 'c'].map((name) =>
      startWriter({ file, name, count: COUNT, ...(maxBytes && { maxBytes }) }),
    )
    for (const writer of writers) await writer.ready()
    for (const writer of writers) writer.go()
    for (const writer of writers) await writer.ended()
  }
  const numbersOf = (values: unknown[], name: string): number[] =>
    (values as { name: string; at: number }[]).flatMap((value) => (value.name === name ? [value.at] : []))

  test('neither tear nor lose lines of each other', async () => {
    const file = join(temporaryFolder(), 'a.jsonl')
    await writeTogether(file)
    // A process that sees another in the middle of a write begins with a line feed: empty lines are ignored.
    expect(read(file).split(/\n+/)).toHaveLength(3 * COUNT + 1)
    const values = await readJsonl(file)
    for (const name of ['a', 'b', 'c'])
      expect(numbersOf(values, name)).toEqual(Array.from({ length: COUNT }, (_, at) => at))
  })

  test('rotate once: the full file is never replaced by the fresh one', async () => {
    const file = join(temporaryFolder(), 'a.jsonl')
    const maxBytes = 4 * 1024
    await writeTogether(file, maxBytes)
    // A file is rotated only if the next line did not fit, and no line is that long.
    expect(statSync(`${file}.1`).size).toBeGreaterThan(maxBytes - 512)
    const values = [...(await readJsonl(`${file}.1`)), ...(await readJsonl(file))]
    for (const name of ['a', 'b', 'c']) {
      const numbers = numbersOf(values, name)
      const first = numbers[0] ?? COUNT
      expect(new Set(numbers)).toEqual(new Set(Array.from({ length: COUNT - first }, (_, at) => first + at)))
    }
  })
})

describe('readJsonl', () => {
  test('returns nothing for a missing file or a folder', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'theirs'), '{}')
    symlinkSync('theirs', join(folder, 'c.jsonl'))
    expect(await readJsonl(join(folder, 'c.jsonl'))).toEqual([])
    mkdirSync(join(folder, 'b.jsonl'))
    expect(await readJsonl(join(folder, 'a.jsonl'))).toEqual([])
    expect(await readJsonl(join(folder, 'b.jsonl'))).toEqual([])
  })

  test('continues after lines that are not JSON, however long', async () => {
    const file = join(temporaryFolder(), 'a.jsonl')
    const long = 'x'.repeat(3 * 1024 * 1024)
    writeFileSync(file, `{"a":1}\n\n{"a"\n${long}\n"${long}"\n\r\n{"a":2}\r\n{"a":3}`)
    expect(await readJsonl(file)).toEqual([{ a: 1 }, long, { a: 2 }, { a: 3 }])
  })

  test('finds whole lines among any bytes', async () => {
    const file = join(temporaryFolder(), 'a.jsonl')
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.jsonValue(), async (noise, value) => {
        const line = Buffer.from(`\n${JSON.stringify({ value })}\n`)
        writeFileSync(file, Buffer.concat([noise, line, noise]))
        expect(await readJsonl(file)).toContainEqual(JSON.parse(JSON.stringify({ value })))
      }),
    )
  })

  test('returns the appended values', async () => {
    const folder = temporaryFolder()
    let at = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())),
        async (values) => {
          const file = join(folder, `${at++}.jsonl`)
          for (const value of values) appendJsonl(file, value)
          expect(await readJsonl(file)).toEqual(JSON.parse(JSON.stringify(values)))
        },
      ),
      { numRuns: 30 },
    )
  })
})
