import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunkUnits } from './query-units.ts'

test('a plain word is the same unit as with a comma, which needs the tokenizer', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
    minLength: 1,
    maxLength: 80,
  })
  const words = fc.oneof(letters, fc.constantFrom('the', 'running', 'o', 'is', 'c', 'configuration'))
  fc.assert(
    fc.property(words, (word) => {
      expect(chunkUnits(word)).toEqual(chunkUnits(`${word},`))
    }),
  )
})
