import { describe, expect, test } from 'vitest'
import { createBodyReader } from './read-body.ts'

const FREE = 64 * 1024

/** A request whose body comes as it is told. */
function open(headers: Record<string, string> = {}) {
  let control: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      control = controller
    },
  })
  return {
    request: new Request('http://localhost/mcp', { method: 'POST', headers, body, duplex: 'half' }),
    send: (bytes: Uint8Array | string) =>
      control?.enqueue(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes),
    end: () => control?.close(),
    break: () => control?.error(new Error('gone')),
  }
}

describe('a body', () => {
  test('is read whole, also where a character comes in two pieces', async () => {
    const { read } = createBodyReader({ maxBytes: 100, maxTotalBytes: 100 })
    const { request, send, end } = open()
    const bytes = new TextEncoder().encode('"ü"')
    send(bytes.subarray(0, 2))
    send(bytes.subarray(2))
    end()
    expect(await read(request)).toEqual({ kind: 'text', text: '"ü"' })
    const none = new Request('http://localhost/mcp', { method: 'POST' })
    expect(await read(none)).toEqual({ kind: 'text', text: '' })
  })

  test('is too large as soon as that is known', async () => {
    const { read } = createBodyReader({ maxBytes: 10, maxTotalBytes: 100 })
    expect(await read(open({ 'content-length': '11' }).request)).toEqual({ kind: 'tooLarge' })
    const { request, send } = open()
    send('x'.repeat(11))
    expect(await read(request)).toEqual({ kind: 'tooLarge' })
  })

  test('that breaks off is told apart from one that ends', async () => {
    const reader = createBodyReader({ maxBytes: 10, maxTotalBytes: 100 })
    const { request, break: breakOff } = open()
    breakOff()
    expect(await reader.read(request)).toEqual({ kind: 'broken' })
    expect(reader.totalBytes()).toBe(0)
  })

  test('of a million crumbs is not read to its end', async () => {
    const { read } = createBodyReader({ maxBytes: 1_000_000, maxTotalBytes: 100 })
    const { request, send } = open()
    for (let at = 0; at < 20_000; at++) send(' ')
    expect(await read(request)).toEqual({ kind: 'crumbs' })
  })

  test('in many pieces of some size is fine', async () => {
    const { read } = createBodyReader({ maxBytes: 10_000_000, maxTotalBytes: 10_000_000 })
    const { request, send, end } = open()
    for (let at = 0; at < 20_000; at++) send(' '.repeat(100))
    end()
    expect(await read(request)).toMatchObject({ kind: 'text' })
  })
})

describe('many bodies at once', () => {
  test('that are large take room from large ones only, and give it back', async () => {
    const reader = createBodyReader({ maxBytes: 4 * FREE, maxTotalBytes: 4 * FREE })
    const slow = [open(), open()]
    const reads = slow.map(({ request }) => reader.read(request))
    for (const { send } of slow) send(new Uint8Array(3 * FREE))
    await expect.poll(reader.totalBytes).toBe(4 * FREE)

    const large = open()
    large.send(new Uint8Array(FREE + 1))
    expect(await reader.read(large.request)).toEqual({ kind: 'crowded' })
    const small = open()
    small.send('x'.repeat(FREE))
    small.end()
    expect(await reader.read(small.request)).toMatchObject({ kind: 'text' })

    slow[0]?.end()
    slow[1]?.break()
    expect((await Promise.all(reads)).map(({ kind }) => kind)).toEqual(['text', 'broken'])
    expect(reader.totalBytes()).toBe(0)
    const again = open()
    again.send(new Uint8Array(FREE + 1))
    again.end()
    expect(await reader.read(again.request)).toMatchObject({ kind: 'text' })
  })
})
