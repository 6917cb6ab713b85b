import { expect, test } from 'vitest'
import { pythonJson, pythonRepr } from './python-text.ts'

test.each([
  ['plain', "'plain'"],
  ["it's", `"it's"`],
  ['say "hi"', `'say "hi"'`],
  [`both ' and "`, `'both \\' and "'`],
  ['a\\b', "'a\\\\b'"],
  ['line\nnext\r\t', "'line\\nnext\\r\\t'"],
  ['\u0000\u001f\u007f\u0085', "'\\x00\\x1f\\x7f\\x85'"],
  ['\u00a0\u200b\u2028\ud800', "'\\xa0\\u200b\\u2028\\ud800'"],
  ['\u{e0001}', "'\\U000e0001'"],
  ['grüße 漢字 😀', "'grüße 漢字 😀'"],
  ['', "''"],
])('pythonRepr writes %j as %s', (text, expected) => {
  expect(pythonRepr(text)).toBe(expected)
})

test('pythonJson writes an object with spaces and in ASCII', () => {
  expect(pythonJson({ conflict: true, key: 'ü😀\n', gone: null })).toBe(
    '{"conflict": true, "key": "\\u00fc\\ud83d\\ude00\\n", "gone": null}',
  )
})
