import { expect, test } from 'vitest'
import { openKeys } from '../../../../test/support/keys.ts'
import { SECRETS } from '../../../../test/support/secrets.ts'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00, 0x1b]).toString('base64')

test('an image is returned as one, with its type', async () => {
  await using at = await openKeys()
  const args = { key: 'logo', data: PNG, content_type: ' image/png ', tags: ['art'] }
  expect(await at.text('remember_blob', args)).toBe("Stored blob memory 'logo'.")
  const answer = await at.call('recall', { key: 'logo' })
  expect(answer.content).toEqual([{ type: 'image', data: PNG, mimeType: 'image/png' }])
  expect(answer.structured).toEqual({ result: '[binary content: image/png]', version: expect.any(String) })
  expect(await at.text('remember_blob', args)).toBe("Updated blob memory 'logo'.")
  expect(await at.memory.snapshots()).toHaveLength(1)
})

test('bytes that are not an image come as a resource, so that no client mistakes them for one', async () => {
  await using at = await openKeys()
  await at.text('remember_blob', { key: 'a/b.zip', data: PNG, content_type: 'application/zip' })
  const { content } = await at.call('recall', { key: 'a/b.zip' })
  expect(content).toEqual([
    { type: 'resource', resource: { uri: 'memory://a%2Fb.zip', mimeType: 'application/zip', blob: PNG } },
  ])
})

test.each([
  [{ content_type: '  ' }, 'content_type must be a non-empty MIME type string.'],
  [{ content_type: 'image/\u0007png' }, 'content_type must be a MIME type such as image/png'],
  [{ data: 'not base64!' }, 'data is not valid Base64: '],
  [{ data: 'abc' }, 'data is not valid Base64: '],
])('%j is refused', async (args, message) => {
  await using at = await openKeys()
  const blob = { key: 'logo', data: PNG, content_type: 'image/png', ...args }
  await expect(at.text('remember_blob', blob)).rejects.toThrow(message)
})

test('the limit is one of decoded bytes', async () => {
  await using at = await openKeys({
    settings: { 'keys.max_blob_bytes': '1MiB', 'store.synchronous': 'normal' },
  })
  const data = (bytes: number) => Buffer.alloc(bytes).toString('base64')
  const blob = { key: 'zeros', content_type: 'application/octet-stream' }
  expect(await at.text('remember_blob', { ...blob, data: data(2 ** 20) })).toContain('Stored')
  await expect(at.text('remember_blob', { ...blob, data: data(2 ** 20 + 1) })).rejects.toThrow(
    'Binary payload exceeds the 1 MB limit (1048577 bytes provided).',
  )
})

test('is listed without its bytes, found by its name and type, and its bytes are in no index', async () => {
  await using at = await openKeys()
  const words = Buffer.from('zanzibar elephants')
  await at.text('remember_blob', {
    ...{
      key: 'travel notes',
      data: words.toString('base64'),
      content_type: 'application/pdf',
      tags: ['trip'],
    },
  })
  const { items } = await at.json('list_memories', { tag: 'trip' })
  expect(items).toMatchObject([
    { key: 'travel notes', value: null, value_type: 'blob', content_type: 'application/pdf', size_bytes: 18 },
  ])
  expect(await at.text('MemorySearch', { query: 'travel pdf' })).toContain('travel notes')
  expect(await at.text('MemorySearch', { query: 'zanzibar' })).not.toContain('travel notes')
  expect(await at.text('MemoryTree')).not.toContain(words.toString('base64'))
  expect((await at.json('search_memories', { query: 'travel' })).items).toMatchObject([{ value: null }])
  expect(await at.text('pack_context', { topic: 'travel' })).toContain('[binary content: application/pdf]')
})

test('replaces a text and is replaced by one', async () => {
  await using at = await openKeys()
  await at.text('remember', { key: 'k', value: PNG, ttl_seconds: 60 })
  expect(await at.text('remember_blob', { key: 'k', data: PNG, content_type: 'image/png' })).toContain(
    'Updated',
  )
  at.pass(61_000)
  expect(await at.text('recall', { key: 'k' })).toBe('[binary content: image/png]')
  expect(await at.text('remember', { key: 'k', value: PNG })).toContain('Updated')
  expect(await at.text('recall', { key: 'k' })).toBe(PNG)
})

test('bytes that are not text stay unchanged; a secret in a text does not', async () => {
  await using at = await openKeys()
  const [secret] = SECRETS
  const binary = Buffer.concat([Buffer.from([0xff, 0xfe, 0x00]), Buffer.from(secret?.text ?? '')])
  await at.text('remember_blob', { key: 'b', data: binary.toString('base64'), content_type: 'image/png' })
  const recalled = await at.call('recall', { key: 'b' })
  expect(recalled.content).toMatchObject([{ data: binary.toString('base64') }])
  const text = Buffer.from(`token: ${secret?.text}`).toString('base64')
  await at.text('remember_blob', { key: 't', data: text, content_type: 'text/plain' })
  const [block] = (await at.call('recall', { key: 't' })).content as unknown as [
    { resource: { blob: string } },
  ]
  expect(Buffer.from(block.resource.blob, 'base64').toString()).toContain('«redacted:')
})
