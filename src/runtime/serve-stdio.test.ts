import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/store-files.ts'
import { serveStdio } from './serve-stdio.ts'
import { createServerParts } from './server-parts.ts'

test('what is kept back is stored when stdin ends, before the server closes', async () => {
  const parts = await createServerParts({
    db: temporaryFolder(),
    source: undefined,
    settings: { 'server.logging.level': 'error' },
  })
  const [input, output] = [new PassThrough(), new PassThrough()]
  const order: string[] = []
  const serving = serveStdio(
    { ...parts, flush: async () => void order.push('flushed') },
    { input, output },
  ).then(() => order.push('closed'))
  input.end()
  await serving
  expect(order).toEqual(['flushed', 'closed'])
  await parts.close()
})
