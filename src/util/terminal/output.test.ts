import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { ClosedOutputError, createOutput, untilClosed, writeLines, writePieces } from './output.ts'

function failingWith(code: string): Writable {
  return new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
  })
}

test('output writes lines in order', async () => {
  const stream = new PassThrough()
  await writeLines(createOutput(stream), ['a', 'b', ''])
  expect(String(stream.read())).toBe('a\nb\n\n')
})

test('writePieces writes long texts in chunks and waits for the reader', async () => {
  const sizes: number[] = []
  let inFlight = 0
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      expect(++inFlight).toBe(1)
      sizes.push(String(chunk).length)
      setImmediate(() => {
        inFlight--
        done()
      })
    },
  })
  await writePieces(
    createOutput(stream),
    Array.from({ length: 1000 }, () => 'x'.repeat(1000)),
  )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_000_000)
  expect(Math.max(...sizes)).toBeLessThan(70_000)
  expect(sizes.length).toBeGreaterThan(10)
})

test('output distinguishes a closed reader from other failures', async () => {
  await expect(createOutput(failingWith('EPIPE')).write('x')).rejects.toThrow(ClosedOutputError)
  await expect(createOutput(failingWith('ENOSPC')).write('x')).rejects.toThrow('ENOSPC')
  await untilClosed(createOutput(failingWith('EPIPE')).write('x'))
  await expect(untilClosed(createOutput(failingWith('ENOSPC')).write('x'))).rejects.toThrow('ENOSPC')
})
