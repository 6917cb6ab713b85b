import type { NodeFacts } from '../port/nodes.ts'
import type {
  Crowd,
  Match,
  Posting,
  PostingOptions,
  Postings,
  SearchReads,
  Surroundings,
} from '../port/search.ts'
import { mostLikely } from './pool-best.ts'
import type { Filters } from './query/query-model.ts'

/** The lookups that the reads of a search are built on. An engine answers at once, a view of the past later. */
export interface WordIndex {
  /** The keys that a posting finds, newest first. */
  keysOf(posting: Posting, limit: number): Soon<number[]>
  /** How many nodes match, up to `most`. */
  countOf(match: Match, most: number): Soon<number>
  /** Those of `keys` that pass. */
  passing(keys: number[], filters: Filters): Soon<number[]>
  /** The hottest nodes, without those that are as hot as the ones left out. */
  hottest(limit: number): Soon<NodeFacts[]>
}

/** One that answers at once. */
export type InstantIndex = {
  [M in keyof WordIndex]: (
    ...asked: Parameters<WordIndex[M]>
  ) => Exclude<ReturnType<WordIndex[M]>, Promise<unknown>>
}

type Soon<T> = T | Promise<T>

/** Work that waits for answers of an index, whether they come at once or later. */
type Work<T> = Generator<unknown, T, never>

function* answer<T>(value: Soon<T>): Work<T> {
  return yield value
}

/** For an index that answers at once. */
export function runNow<T>(work: Work<T>): T {
  for (let step = work.next(undefined as never); ; step = work.next(step.value as never))
    if (step.done) return step.value
}

export async function runLater<T>(work: Work<T>): Promise<T> {
  for (let step = work.next(undefined as never); ; step = work.next((await step.value) as never))
    if (step.done) return step.value
}

type Found = Postings['found'][number]

export function* findPostings(
  index: WordIndex,
  postings: readonly Posting[],
  { room = 0, filters, together }: PostingOptions = {},
): Work<Omit<Postings, 'nodes'>> {
  const found: Found[] = []
  const isNone = (place: number): boolean => found[place]?.count === 0
  const isCut = (place: number): boolean => {
    const { keys = [], count = 0 } = found[place] ?? {}
    const { limit = 0, countTo } = postings[place] ?? {}
    return countTo === undefined ? count >= limit : count > keys.length
  }
  for (const posting of postings) {
    const isSkipped = posting.ifCut !== undefined || posting.ifNone?.some(isNone) === false
    found.push(isSkipped ? { keys: [], count: 0 } : yield* listed(index, posting))
  }
  // Rarest first.
  const counted = [...postings.keys()]
    .filter((place) => postings[place]?.countTo !== undefined && !isNone(place))
    .sort((a, b) => (found[a]?.count ?? 0) - (found[b]?.count ?? 0))
  const whole = yield* listWhole(index, { postings, found, counted, room })
  for (const [place, posting] of postings.entries())
    if (posting.ifCut?.some(isCut)) found[place] = yield* listed(index, posting)
  const result: Omit<Postings, 'nodes'> = { found }
  if (filters) {
    const lists = found.filter((_, place) => !isCut(place)).flatMap(({ keys }) => keys)
    result.passing = yield* answer(index.passing([...new Set(lists)], filters))
  }
  if (together && whole === 0) result.together = yield* listTogether(index, postings, counted, together)
  return result
}

function* listed(index: WordIndex, posting: Posting): Work<Found> {
  const { match, limit, countTo = 0 } = posting
  const keys = yield* answer(index.keysOf(posting, limit))
  if (!match || keys.length < limit || countTo <= limit) return { keys, count: keys.length }
  return { keys, count: yield* answer(index.countOf(match, countTo)) }
}

interface Lists {
  postings: readonly Posting[]
  found: Found[]
  counted: readonly number[]
  room: number
}

/** Lists the rarest whole, and returns how many there is room for. */
function* listWhole(index: WordIndex, { postings, found, counted, room }: Lists): Work<number> {
  let left = room
  for (const [at, place] of counted.entries()) {
    const [posting, one] = [postings[place] as Posting, found[place] as Found]
    left -= one.count
    // A count that reached its limit is only a lower bound.
    if (left < 0 || one.count === posting.countTo) return at
    if (one.keys.length < one.count) one.keys = yield* answer(index.keysOf(posting, one.count))
  }
  return counted.length
}

function* listTogether(
  index: WordIndex,
  postings: readonly Posting[],
  counted: readonly number[],
  { enough, limit, filters }: NonNullable<PostingOptions['together']>,
): Work<NonNullable<Postings['together']>> {
  const lists: NonNullable<Postings['together']> = []
  const found = new Set<number>()
  for (let length = counted.length; length > 0 && found.size < enough; length--) {
    const places = counted.slice(0, length)
    const units = places.flatMap((place) => postings[place]?.match?.units ?? [])
    const match = { units, expression: { and: units.map((_, at) => at) } }
    const keys = yield* answer(index.keysOf({ match, filters, limit }, limit))
    for (const key of keys) found.add(key)
    lists.push({ places, keys })
  }
  return lists
}

/** The nodes that are asked for and those taken from a crowd, as `look` shows them; with filters, which of their siblings pass. */
export function* findSurroundings(
  index: WordIndex,
  [keys, , filters, crowd]: Parameters<SearchReads['surroundings']>,
  look: (keys: number[]) => Soon<Omit<Surroundings, 'passing'>>,
): Work<Surroundings> {
  const wanted = [...keys, ...(yield* takeFrom(index, crowd))]
  const found = yield* answer(look(wanted))
  if (!filters) return found
  const siblings = new Set(found.nodes.flatMap(({ before, after }) => [...before, ...after]))
  for (const key of wanted) siblings.delete(key)
  return { ...found, passing: yield* answer(index.passing([...siblings], filters)) }
}

function* takeFrom(index: WordIndex, crowd: Crowd | undefined): Work<number[]> {
  if (!crowd) return []
  const { preferred, hottest } = crowd
  const hot = yield* answer(index.hottest(hottest))
  return mostLikely(crowd, hot, preferred ? yield* answer(index.keysOf(preferred, preferred.limit)) : [])
}
