import type { Query } from './query-model.ts'
import { isStopWord } from './stop-words.ts'
import { wordsOf } from './words.ts'
export function parseQuery(text: string, _o: { now: number }): Query {
  const seen = new Map<string, Query['units'][number]>()
  for (const { word, start, end } of wordsOf(text)) {
    const shown = text.slice(start, end)
    seen.set(word, { kind: 'word', words: [word], shown, isStopWord: isStopWord(shown.toLowerCase()) })
  }
  return { text, units: [...seen.values()], expression: null, filters: {}, notes: [] }
}
