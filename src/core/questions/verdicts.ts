import { type AskDeps, type AskedAt, ask } from './ask.ts'
import { placeOf } from './judge.ts'
import type { Expected, Question } from './model.ts'
import { askedAt } from './timeline.ts'

/** What a question finds at snapshots, each asked once. */
export interface Verdicts {
  isFoundAt(item: Expected, snapshot: number): Promise<boolean>
  /** With the heat of now. */
  isFoundNow(item: Expected): Promise<boolean>
  /** Whether the item had been found and lost before a snapshot, as far as was asked. */
  cameBack(item: Expected, before: number): boolean
  searches(): number
}

export function createVerdicts(deps: AskDeps, question: Question): Verdicts {
  const found = new Map<number, ReadonlySet<Expected>>()
  let now: ReadonlySet<Expected> | undefined
  let searches = 0
  async function foundAt(at: AskedAt): Promise<ReadonlySet<Expected>> {
    deps.signal?.throwIfAborted()
    searches++
    const hits = await ask(deps, question, at)
    return new Set(question.expected.filter((item) => placeOf(item, hits) !== undefined))
  }
  return {
    async isFoundAt(item, snapshot) {
      const known = found.get(snapshot) ?? (await foundAt({ snapshot, isNow: false }))
      found.set(snapshot, known)
      return known.has(item)
    },
    async isFoundNow(item) {
      now ??= await foundAt(await askedAt(deps))
      return now.has(item)
    },
    cameBack(item, before) {
      const asked = [...found.keys()].filter((snapshot) => snapshot < before).sort((a, b) => a - b)
      const first = asked.findIndex((snapshot) => found.get(snapshot)?.has(item))
      return first >= 0 && asked.slice(first).some((snapshot) => !found.get(snapshot)?.has(item))
    },
    searches: () => searches,
  }
}
