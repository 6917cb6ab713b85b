import { expect, test } from 'vitest'
import { explainListenError } from './listen-error.ts'

test.each([
  ['EADDRINUSE', 'UNAVAILABLE', '[::1]:80 is in use'],
  ['EACCES', 'FORBIDDEN', 'this user may not listen on [::1]:80'],
  ['EADDRNOTAVAIL', 'INVALID_INPUT', 'this machine has no address ::1'],
  ['EAFNOSUPPORT', 'INVALID_INPUT', 'this machine has no address ::1'],
])('%s is reported as %s, with a remedy', (system, code, message) => {
  const cause = Object.assign(new Error('of the system'), { code: system })
  const error = explainListenError(cause, { host: '::1', port: 80 })
  expect(error).toMatchObject({ code, cause, message: expect.stringContaining(message) })
  expect(error.message).toContain('--listen')
})

test('an unknown error is returned unchanged', () => {
  const cause = new Error('strange')
  expect(explainListenError(cause, { host: '::1', port: 80 })).toBe(cause)
})
