import { stemmer } from 'stemmer'

const MAX_STEMS = 250_000
const stems = new Map<string, string>()

/**
 * The stem of an English word by Porter's rules: `run` for `running`. For words of `a` to `z`; a word of fewer than
 * three letters is its own stem. Texts repeat words, and stemming is slow: stems are cached.
 */
export function stem(word: string): string {
  return word.length < 3 ? word : (stems.get(word) ?? computeStem(word))
}

function computeStem(word: string): string {
  const stemmed = stemmer(word)
  if (stems.size >= MAX_STEMS) stems.clear()
  stems.set(detached(word), detached(stemmed))
  return stemmed
}

/** A slice keeps its whole text in memory; concatenating and cutting it again does not. */
function detached(slice: string): string {
  return ` ${slice}`.slice(1)
}
