import { expect, test } from 'vitest'
import { initializeClient } from './identity.ts'

const nameOf = (name: unknown): string | undefined =>
  initializeClient({
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { clientInfo: { name, version: '1' }, protocolVersion: '2025-11-25' },
  })?.name

test.each([
  ['agent', 'agent'],
  [7, ''],
  ['x'.repeat(200), 'x'.repeat(200)],
  ['a '.repeat(100), 'a '.repeat(100)],
])('the name of a client is the one it gives: %j', (given, name) => {
  expect(nameOf(given)).toBe(name)
})

test('of a long name no word is kept in part: a part of a secret would not be recognised', () => {
  expect(nameOf(`${'x'.repeat(180)} ${'secret'.repeat(6)}`)).toBe('x'.repeat(180))
  expect(nameOf(`${'x'.repeat(200)} more`)).toBe('x'.repeat(200))
  expect(nameOf('secret'.repeat(100))).toBe('')
})
