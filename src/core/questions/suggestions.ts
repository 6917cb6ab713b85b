import type { Break, LostItem } from './model.ts'

/** A command that may bring an answer back, without the name of the program; none: something else to do. */
export interface Suggestion {
  aim: string
  words: string
}

/** At most this many nodes are restored one by one. */
const MOST = 3

/** What to do about a break, the smallest change first. */
export function suggestionsOf({
  lost,
  before,
  snapshot,
}: Pick<Break, 'lost' | 'before' | 'snapshot'>): Suggestion[] {
  const nodes = [...new Set(lost.flatMap(changedNodes))]
  const restores = nodes.slice(0, MOST).map((id): Suggestion => {
    return { aim: 'bring it back', words: `restore ${id} --snapshot ${before}` }
  })
  const isChange = lost.some(({ cause }) => cause.kind !== 'renamed' && cause.kind !== 'unclear')
  const isUnclear = lost.some(({ cause }) => cause.kind === 'unclear')
  const isRenamed = lost.some(({ cause }) => cause.kind === 'renamed')
  return [
    ...restores,
    ...(isChange ? [{ aim: 'undo the snapshot', words: `revert ${snapshot.id}` }] : []),
    ...(isUnclear ? [{ aim: 'see what it changed', words: `diff ${before} ${snapshot.id}` }] : []),
    ...(isRenamed ? [{ aim: 'if that is right, change the path in the questions', words: '' }] : []),
  ]
}

/** What answered before. */
function changedNodes({ cause }: LostItem): string[] {
  const isOwn = cause.kind === 'edited' || cause.kind === 'removed'
  return isOwn ? cause.changes.map(({ nodeId }) => nodeId) : []
}
