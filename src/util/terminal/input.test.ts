import { expect, test } from 'vitest'
import { createInput } from './input.ts'

async function* bytes(...chunks: number[][]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Uint8Array.from(chunk)
}

test('a character split over two chunks of input is one character', async () => {
  expect(await createInput(() => bytes([0x61, 0xc3], [0xbc])).read()).toBe('aü')
})

test('input that is not UTF-8 is undefined, also if it only ends too early', async () => {
  expect(await createInput(() => bytes([0xfc])).read()).toBeUndefined()
  expect(await createInput(() => bytes([0x61, 0xc3])).read()).toBeUndefined()
})

test('input from a broken stream fails', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Uint8Array.of(0x61)
    throw new Error('gone')
  }
  await expect(createInput(broken).read()).rejects.toThrow('gone')
})

test('input is not opened before it is read', () => {
  let opened = 0
  const input = createInput(() => {
    opened++
    return bytes()
  })
  expect(opened).toBe(0)
  expect(input.isTerminal).toBe(false)
})

test('lines come one by one, also when chunks end within them or within a character', async () => {
  const input = createInput(() => bytes([0x61, 0xc3], [0xbc, 0x0d, 0x0a, 0x0a, 0x62], [0x63]))
  expect(await all(input.lines())).toEqual(['aü', '', 'bc'])
  expect(await all(createInput(() => bytes()).lines())).toEqual([])
})

async function all(lines: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const line of lines) found.push(line)
  return found
}
