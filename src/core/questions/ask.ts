import { given } from '../../util/given.ts'
import { MAX_LIMIT, type SearchHit, type SearchInput } from '../find/search-model.ts'
import { WHAT_WAS } from '../history/history.ts'
import { searchNodes } from '../operations/queries.ts'
import type { Store } from '../port/store.ts'
import type { AnswerHit, Question } from './model.ts'

export interface AskDeps {
  store: Pick<Store, 'read' | 'query'>
  now: () => number
  /** Aborts searches that have not started. */
  signal?: AbortSignal | undefined
}

/** When a question is asked. */
export interface AskedAt {
  snapshot: number
  /** Now, with the heat of now. History keeps no heat: at a moment of the past all nodes are equally warm. */
  isNow: boolean
}

/** The hits that count for a question, as an agent gets them at a snapshot. Warms nothing. */
export function ask(deps: AskDeps, { question, k }: Question, at: AskedAt): Promise<AnswerHit[]> {
  return hitsOf(deps, { query: question, ...given({ limit: k }) }, at)
}

/** As many hits as there can be. */
export function askForAll(deps: AskDeps, { question }: Question, at: AskedAt): Promise<AnswerHit[]> {
  return hitsOf(deps, { query: question, limit: MAX_LIMIT }, at)
}

async function hitsOf(deps: AskDeps, input: SearchInput, at: AskedAt): Promise<AnswerHit[]> {
  // Snapshot 0 is the empty memory.
  if (at.snapshot === 0) return []
  const { hits } = await searchAt(deps, input, at)
  const texts = await textsAt(deps, hits, at.snapshot)
  return hits.map(({ id, type, label, path, snippet }) => {
    return { id, type, label, path, snippet, text: texts.get(id) ?? '' }
  })
}

function searchAt({ store, signal }: AskDeps, input: SearchInput, { snapshot, isNow }: AskedAt) {
  const asked = isNow ? input : { ...input, asOf: snapshot }
  return store.query(searchNodes, asked, { signal })
}

function textsAt(
  { store }: AskDeps,
  hits: readonly SearchHit[],
  snapshot: number,
): Promise<Map<string, string>> {
  return store.read(async (tx) => {
    const nodes = await tx.nodes({ ids: hits.map(({ id }) => id), removed: true }, 'id')
    const ids = new Map(nodes.map(({ key, id }) => [key, id]))
    const states = await tx.statesAt([...ids.keys()], snapshot)
    return new Map(states.map(({ key, state }) => [ids.get(key) ?? '', state?.text ?? '']))
  }, WHAT_WAS)
}
