import type { Query } from '../../src/core/find/query/query-model.ts'

/** Units as one line: words bare, phrases in quotes, prefixes with a star, stop words with a question mark. */
export function showUnits({ units }: Query): string {
  const marks = { word: ['', ''], phrase: ['"', '"'], prefix: ['', '*'] } as const
  return units
    .map(
      ({ kind, words, isStopWord }) =>
        `${marks[kind][0]}${words.join(' ')}${marks[kind][1]}${isStopWord ? '?' : ''}`,
    )
    .join(' ')
}
