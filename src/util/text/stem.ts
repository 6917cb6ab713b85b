import { stemmer } from 'stemmer'

const MAX_STEMS = 250_000
const stems = new Map<string, string>()

/**
 * What the forms of an English word have in common, by Porter's rules: `run` of `running`. For words of `a` to `z`; one of
 * less than three letters is its own. A text repeats its words, and finding a stem is slow: they are remembered.
 */
export function stem(word: string): string {
  return word.length < 3 ? word : (stems.get(word) ?? learn(word))
}

function learn(word: string): string {
  const stemmed = stemmer(word)
  if (stems.size >= MAX_STEMS) stems.clear()
  stems.set(detached(word), detached(stemmed))
  return stemmed
}

/** A slice keeps the text that it is a slice of in memory; joined to something and cut off again it does not. */
function detached(slice: string): string {
  return ` ${slice}`.slice(1)
}
