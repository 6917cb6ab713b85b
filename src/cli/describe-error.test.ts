import { readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { MemoryError } from '../core/errors.ts'
import { describeError } from './describe-error.ts'

afterEach(() => vi.unstubAllEnvs())

function thrownBy(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test('gives the message of an error that was meant for people', () => {
  expect(describeError(new MemoryError('NOT_FOUND', 'no \x1b node'))).toEqual(['remindb: no \\x1b node'])
})

test('says what the system refused', () => {
  expect(describeError(thrownBy(() => readFileSync('/no/such')))).toEqual([
    'remindb: /no/such: no such file or directory (ENOENT)',
  ])
})

test('says nothing of the inside of an unexpected error, but how to see it', () => {
  const error = new TypeError('secret of the inside')
  expect(describeError(error)).toEqual([
    expect.stringMatching(/^remindb: something unexpected .* REMINDB_DEBUG=1 /),
  ])
  vi.stubEnv('REMINDB_DEBUG', '1')
  expect(describeError(error)[1]).toMatch(/^TypeError: secret of the inside\n {4}at /)
  expect(describeError('a text')[1]).toBe("'a text'")
})
