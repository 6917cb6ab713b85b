import { expect, test } from 'vitest'
import { MemoryError } from '../../core/errors.ts'
import { describeError, errorJson } from './describe-error.ts'

test('an error cannot rule a terminal, as a line or as JSON', () => {
  const message = 'no "\x9b2J\u202e\u2028x\ny"'
  const error = new MemoryError('NOT_FOUND', message)
  expect(describeError(error)).toEqual(['remindb: no "\\x9b2J\\u{202e}\\u{2028}x\\ny"'])
  const json = errorJson(error)
  expect(json).toMatch(/^[\n -~]+$/)
  expect(json).toBe(
    `{\n  "error": {\n    "code": "NOT_FOUND",\n    "message": ${json.split('"message": ')[1]}`,
  )
  expect(JSON.parse(json)).toEqual({ error: { code: 'NOT_FOUND', message } })
})
