import { expect, test } from 'vitest'
import { createConnector } from '../../src/index.ts'
import { expectSound, openIn, temporaryFolder } from '../support/engine.ts'

/** What a caller without types can do to the keys, records and files of a memory. */
type Untyped = Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>>

const KEY = { key: 'k', value: 'v' }

const CALLS: [door: string, call: string, given: unknown, message: RegExp][] = [
  ['keys', 'remember', undefined, /^remember needs an object with key, value, tags, ttlSeconds, version$/],
  ['keys', 'remember', 'k', /^remember needs an object with key, /],
  ['keys', 'remember', { key: 'k' }, /^remember needs value: a text$/],
  ['keys', 'remember', { value: 'v' }, /^remember needs key: a text$/],
  ['keys', 'remember', { ...KEY, tags: 'a' }, /^remember: tags must be a list of strings$/],
  ['keys', 'remember', { ...KEY, tags: [5] }, /^remember: tags must be a list of strings$/],
  ['keys', 'remember', { ...KEY, ttlSeconds: Number.NaN }, /^remember: ttlSeconds must be a number$/],
  ['keys', 'remember', { ...KEY, ttlSeconds: '60' }, /^remember: ttlSeconds must be a number$/],
  [
    'keys',
    'remember',
    { ...KEY, ttl_seconds: 60 },
    /^remember has no member ttl_seconds; valid members: key, value, /,
  ],
  [
    'keys',
    'rememberIfAbsent',
    { ...KEY, version: 'x' },
    /^rememberIfAbsent has no member version; valid members: key, /,
  ],
  ['keys', 'rememberBlob', { key: 'k', data: 5, contentType: 'a/b' }, /^rememberBlob needs data: a text$/],
  ['keys', 'recall', 5, /^key must be a string$/],
  ['keys', 'forgetAll', undefined, /^forgetAll needs tag: a text$/],
  ['keys', 'redact', { key: 'k', reason: 5 }, /^redact: reason must be a string$/],
  ['keys', 'restore', { key: 'k' }, /^restore needs versionTimestamp: a text$/],
  ['keys', 'list', { tag: 5 }, /^list: tag must be a string$/],
  ['keys', 'list', { tag: 't', limit: '9' }, /^list: limit must be a number$/],
  ['keys', 'summarize', undefined, /^summarize needs topic: a text$/],
  ['keys', 'search', { query: 'x', weights: { semantic: 'a' } }, /^search: weights must be an object with /],
  [
    'keys',
    'search',
    { query: 'x', includeRedacted: 'yes' },
    /^search: includeRedacted must be true or false$/,
  ],
  ['keys', 'relate', undefined, /^relate needs an object with key, topK, offset, maxLength$/],
  ['keys', 'listTags', { cursor: 7 }, /^listTags: cursor must be a string$/],
  ['keys', 'pack', { topic: 'a', budgetTokens: 'x' }, /^pack: budgetTokens must be a number$/],
  [
    'records',
    'store',
    { type: 'task', content: 'x', task_metadata: null },
    /^task_metadata must be an object/,
  ],
  ['records', 'query', null, /^query needs an object/],
  ['records', 'query', { archived: 'yes' }, /^archived must be true, false or "only"$/],
]

test.each(CALLS)('%s.%s(%j) says what it needs', async (door, call, given, message) => {
  const folder = temporaryFolder()
  await using memory = await openIn(folder)
  await memory.keys.remember(KEY)
  const made = async () => (memory as unknown as Untyped)[door]?.[call]?.(given)
  await expect(made()).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringMatching(message),
  })
  await expectSound(memory)
})

test('messages of a prompt are a list of objects', async () => {
  const folder = temporaryFolder()
  await using memory = await openIn(folder)
  const connector = createConnector()
  connector.setMemorySource(memory.memoryNode({ id: 'n', scope: 'global' }))
  for (const wrong of [undefined, 5, [null]])
    await expect(connector.inject(wrong as never)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})

test('a thread is a text', async () => {
  const folder = temporaryFolder()
  await using memory = await openIn(folder)
  const node = memory.memoryNode({ id: 'n', scope: 'perThread' })
  expect(() => node.getMemoryService({ threadId: 5 as never })).toThrow('threadId is not plain text')
})
