import { expect, test } from 'vitest'
import { countCodePoints } from './code-points.ts'

test.each(['', 'a', 'ä', '😀', 'a😀b', '\ud83d', '\ude00', '\ud83d\ud83d\ude00', '😀😀', '\ude00\ud83d'])(
  'countCodePoints of %j is the length of its array of characters',
  (text) => expect(countCodePoints(text)).toBe([...text].length),
)
