import { shellWord } from '../../util/text/shell-word.ts'
import type { Break, LostItem } from './model.ts'

/** A command that may bring an answer back, without the name of the program; none: something else to do. */
export interface Suggestion {
  aim: string
  words: string
}

/** At most this many are restored one by one. */
const MOST = 3

/** What to do about a break, the smallest change first. */
export function suggestionsOf({
  lost,
  before,
  snapshot,
}: Pick<Break, 'lost' | 'before' | 'snapshot'>): Suggestion[] {
  const names = [...new Set(lost.flatMap(changedNames))]
  const restores = names.slice(0, MOST).map((name): Suggestion => {
    return { aim: 'bring it back', words: `restore ${shellWord(name)} --snapshot ${before}` }
  })
  const isChange = lost.some(({ cause }) => cause.kind !== 'renamed' && cause.kind !== 'unclear')
  const isUnclear = lost.some(({ cause }) => cause.kind === 'unclear')
  const isRenamed = lost.some(({ cause }) => cause.kind === 'renamed')
  return [
    ...restores,
    ...(isChange ? [{ aim: 'undo the snapshot', words: `revert ${snapshot.id}` }] : []),
    ...(isUnclear ? [{ aim: 'see what changed', words: `diff ${before} ${snapshot.id}` }] : []),
    ...(isRenamed ? [{ aim: 'if that is right, change the path in the questions', words: '' }] : []),
  ]
}

/** What was found before: a document that is gone as a whole, else its nodes. */
function changedNames({ cause: { kind, changes, document } }: LostItem): string[] {
  if (kind !== 'edited' && kind !== 'removed') return []
  return document === undefined ? changes.map(({ nodeId }) => nodeId) : [document]
}
