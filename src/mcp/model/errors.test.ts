import { describe, expect, test } from 'vitest'
import { ERROR_CODES, MemoryError } from '../../core/errors.ts'
import { UnknownUri, wordOf } from './error-words.ts'
import { inOldWords, resourceError } from './errors.ts'

const KEY = 'memory://a'
const said = (error: unknown, uri = KEY) => {
  const { code, message, data } = resourceError(error, uri)
  return [code, message, data]
}

describe('a failed read of memory://', () => {
  test.each([
    ['NOT_FOUND', "Memory not found: 'a'", -32602, 'NOT_FOUND', "Memory not found: 'a'"],
    ['REDACTED', "Memory has been redacted: 'a'", -32602, 'REDACTED', "Memory has been redacted: 'a'"],
    ['INVALID_INPUT', 'limit is wrong', -32602, 'INVALID_INPUT', 'limit is wrong'],
    [
      ...(['FORBIDDEN', 'the file cannot be read; chmod it', -32003, 'STORAGE_ERROR'] as const),
      'Unable to read memory storage: permission denied',
    ],
    [
      ...(['UNAVAILABLE', 'the disk is full', -32010, 'STORAGE_ERROR'] as const),
      'Unable to read memory storage: the disk is full',
    ],
    [
      ...(['CORRUPTED_DATA', 'page 3 is damaged', -32603, 'CORRUPTED_DATA'] as const),
      'Memory storage corrupted. Run repair tool or restore from backup.',
    ],
    [
      ...(['NOT_A_DATABASE', 'this is a photo', -32603, 'CORRUPTED_DATA'] as const),
      'Memory storage corrupted. Run repair tool or restore from backup.',
    ],
  ] as const)('%s %j', (code, message, number, word, text) => {
    expect(said(new MemoryError(code, message))).toEqual([number, text, { code: word, uri: KEY }])
  })

  test('of a URI that no resource has', () => {
    expect(said(new UnknownUri('memory://a/b'), 'memory://a/b')).toEqual([
      -32602,
      'Resource URI not recognized: memory://a/b',
      { code: 'RESOURCE_NOT_FOUND', uri: 'memory://a/b' },
    ])
  })

  test('of an unexpected kind discloses nothing', () => {
    expect(said(new TypeError('a secret'))).toEqual([
      -32603,
      'something unexpected went wrong; the log of the server has it',
      { code: 'INTERNAL_ERROR', uri: KEY },
    ])
  })
})

test('read through another scheme keeps its own code', () => {
  const error = new MemoryError('FORBIDDEN', 'no')
  expect(said(error, 'remindb://tree')).toEqual([-32003, 'no', { code: 'FORBIDDEN', uri: 'remindb://tree' }])
})

test('tools have a word for every code', () => {
  const words = ERROR_CODES.map((code) => wordOf(new MemoryError(code, '')))
  expect(words).not.toContain(undefined)
  expect(wordOf(new MemoryError('FORBIDDEN', ''))).toBe('PERMISSION_ERROR')
  expect(wordOf(new Error('?'))).toBe('INTERNAL_ERROR')
})

test.each([
  ['NOT_FOUND', -32002],
  ['RESOURCE_NOT_FOUND', -32002],
  ['REDACTED', -32602],
  ['INVALID_INPUT', -32602],
])('in the old era %s is %i', (code, number) => {
  const message = { jsonrpc: '2.0', id: 1, error: { code: -32602, message: '', data: { code } } } as const
  expect(inOldWords(message)).toMatchObject({ error: { code: number } })
})
