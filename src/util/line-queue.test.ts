import { expect, test } from 'vitest'
import { createLineQueue } from './line-queue.ts'

function linesOf(chunks: (string | Buffer)[], maxBytes = 1000): { lines: string[]; isTaken: boolean } {
  const queue = createLineQueue(maxBytes)
  const isTaken = chunks.map((chunk) => queue.push(Buffer.from(chunk))).every(Boolean)
  const lines: string[] = []
  for (let line = queue.next(); line !== undefined; line = queue.next()) lines.push(line)
  return { lines, isTaken }
}

test('lines come out as they were, however they were cut', () => {
  const text = 'one\n\nzwölf 🦊\r\nlast\nrest'
  const bytes = Buffer.from(text)
  for (const size of [1, 2, 3, 7, 100]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    )
    expect(linesOf(chunks).lines).toEqual(['one', '', 'zwölf 🦊\r', 'last'])
  }
})

test('lines may be taken out between pieces', () => {
  const queue = createLineQueue(100)
  queue.push(Buffer.from('a\nb\nc'))
  expect([queue.next(), queue.next(), queue.next()]).toEqual(['a', 'b', undefined])
  queue.push(Buffer.from('d\ne\n'))
  expect([queue.next(), queue.next(), queue.next()]).toEqual(['cd', 'e', undefined])
})

test('a line that is too long is refused, with and without its end; those before it are there', () => {
  expect(linesOf(['ok\n', 'x'.repeat(6), 'y'.repeat(5)], 10)).toEqual({ lines: ['ok'], isTaken: false })
  expect(linesOf([`ok\n${'x'.repeat(11)}\n`], 10)).toEqual({ lines: ['ok'], isTaken: false })
  expect(linesOf([`${'x'.repeat(10)}\n`], 10)).toEqual({ lines: ['x'.repeat(10)], isTaken: true })
})

test('a very long line in small pieces is put together once', () => {
  const piece = 'x'.repeat(8 * 1024)
  const { lines } = linesOf([...Array.from({ length: 8192 }, () => piece), '\n'], 2 ** 27)
  expect(lines.map((line) => line.length)).toEqual([2 ** 26])
})
