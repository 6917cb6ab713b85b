import { expect, test } from 'vitest'
import { createLineQueue, type LongLine } from './line-queue.ts'

function linesOf(chunks: (string | Buffer)[], maxBytes = 1000): (string | LongLine)[] {
  const queue = createLineQueue(maxBytes)
  for (const chunk of chunks) queue.push(Buffer.from(chunk))
  const lines: (string | LongLine)[] = []
  for (let line = queue.next(); line !== undefined; line = queue.next()) lines.push(line)
  return lines
}

test('a line queue returns the lines, however they were split into pieces', () => {
  const text = 'one\n\nzwölf 🦊\r\nlast\nrest'
  const bytes = Buffer.from(text)
  for (const size of [1, 2, 3, 7, 100]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    )
    expect(linesOf(chunks)).toEqual(['one', '', 'zwölf 🦊\r', 'last'])
  }
})

test('a line queue returns lines between pieces', () => {
  const queue = createLineQueue(100)
  queue.push(Buffer.from('a\nb\nc'))
  expect([queue.next(), queue.next(), queue.next()]).toEqual(['a', 'b', undefined])
  queue.push(Buffer.from('d\ne\n'))
  expect([queue.next(), queue.next(), queue.next()]).toEqual(['cd', 'e', undefined])
})

test('a line queue keeps the beginning, end and length of an overlong line, and the lines around it', () => {
  const long = { start: 'xxxxxxyyyyy', end: 'xxxxxxyyyyy', bytes: 11 }
  expect(linesOf(['ok\n', 'x'.repeat(6), 'y'.repeat(5), '\nnext\n'], 10)).toEqual(['ok', long, 'next'])
  expect(linesOf([`ok\n${'x'.repeat(11)}\nnext\n`], 10)).toMatchObject(['ok', { bytes: 11 }, 'next'])
  expect(linesOf(['ok\n', 'x'.repeat(11)], 10)).toEqual(['ok'])
  expect(linesOf([`${'x'.repeat(10)}\n`], 10)).toEqual(['x'.repeat(10)])
})

test('a line queue keeps only the ends of an overlong line, however it was split', () => {
  for (const size of [1, 7, 5000]) {
    const text = `${'a'.repeat(1024)}${'b'.repeat(3000)}${'c'.repeat(1024)}`
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
      text.slice(index * size, (index + 1) * size),
    )
    const long = { start: 'a'.repeat(1024), end: 'c'.repeat(1024), bytes: 5048 }
    expect(linesOf([...chunks, '\n'], 2000)).toEqual([long])
  }
})

test('a line queue joins a very long line in small pieces once', () => {
  const piece = 'x'.repeat(8 * 1024)
  const lines = linesOf([...Array.from({ length: 8192 }, () => piece), '\n'], 2 ** 27)
  expect(lines.map((line) => String(line).length)).toEqual([2 ** 26])
})
