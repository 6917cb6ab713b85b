import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/store-files.ts'
import { createMemoryServer } from './memory-server.ts'
import { serveStdio } from './serve-stdio.ts'

/** A server on two streams, and in which order it stored what was kept back and closed. */
async function startServing() {
  const parts = await createMemoryServer({
    db: temporaryFolder(),
    source: undefined,
    settings: { 'server.logging.level': 'error' },
  })
  onTestFinished(async () => void (await parts.close()))
  const [input, output] = [new PassThrough(), new PassThrough()]
  const order: string[] = []
  const flush = async () => void order.push('flushed')
  const serving = serveStdio({ ...parts, flush }, { input, output }).then(() => order.push('closed'))
  return { input, output, order, serving }
}

test('what is kept back is stored when stdin ends, before the server closes', async () => {
  const { input, order, serving } = await startServing()
  input.end()
  await serving
  expect(order).toEqual(['flushed', 'closed'])
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  'what is kept back is stored at %s, before the answers that nobody has read yet',
  async (signal) => {
    const { input, output, order, serving } = await startServing()
    for (let id = 0; id < 40; id++) input.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`)
    await new Promise((resolve) => output.once('readable', resolve))
    process.emit(signal, signal)
    expect(order).toEqual(['flushed'])
    output.resume()
    await serving
    expect(order).toEqual(['flushed', 'closed'])
  },
)
