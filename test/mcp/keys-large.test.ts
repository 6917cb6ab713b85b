import { beforeAll, expect, test } from 'vitest'
import { ensureProgramIsBuilt } from '../support/cli.ts'
import { connect, noteFolder } from '../support/mcp.ts'
import { connectHttp, serve } from '../support/serving.ts'

beforeAll(ensureProgramIsBuilt)

const MIB = 1024 * 1024
const FULL = 10 * MIB

test('the largest value and the largest blob are stored and recalled over HTTP', async () => {
  const cwd = noteFolder({})
  const args = ['--source', '.', '--listen', '127.0.0.1:0', '--tools', 'keys']
  const { url } = await serve({ cwd, args })
  const { client, call } = await connectHttp(url, '2026-07-28', 'ada')
  // In JSON each of them takes two bytes.
  const value = '"'.repeat(FULL)
  expect(await call('remember', { key: 'text', value })).toBe("Stored memory 'text'.")
  const { structuredContent } = await client.callTool({
    name: 'recall',
    arguments: { key: 'text', limit: FULL },
  })
  expect(Object(structuredContent).result === value).toBe(true)
  const data = Buffer.alloc(FULL, 0xe9).toString('base64')
  await call('remember_blob', { key: 'bytes', data, content_type: 'image/png' })
  const { content } = await client.callTool({ name: 'recall', arguments: { key: 'bytes' } })
  expect((content as { data: string }[])[0]?.data === data).toBe(true)
}, 120_000)

test('a value of nine mebibytes is recalled over a pipe, by a client that reads ten of a message', async () => {
  const { client } = await connect({
    args: ['--source', noteFolder({}), '--tools', 'keys'],
    revision: '2026-07-28',
  })
  const value = 'x'.repeat(9 * MIB)
  await client.callTool({ name: 'remember', arguments: { key: 'text', value } })
  const { structuredContent } = await client.callTool({
    name: 'recall',
    arguments: { key: 'text', limit: FULL },
  })
  expect(Object(structuredContent).result === value).toBe(true)
}, 120_000)
