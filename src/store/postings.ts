import { mostLikely } from '../core/find/pool-best.ts'
import type { Filters } from '../core/find/query/query-model.ts'
import type { NodeFacts } from '../core/port/nodes.ts'
import type {
  Crowd,
  Match,
  Posting,
  PostingOptions,
  Postings,
  SearchReads,
  Surroundings,
} from '../core/port/search.ts'

/** The lookups an engine provides; the reads of a search are built on them. */
export interface WordIndex {
  /** The keys that a posting finds, newest first. */
  keysOf(posting: Posting, limit: number): number[]
  /** How many nodes match, up to `most`. */
  countOf(match: Match, most: number): number
  /** Those of `keys` that pass. */
  passing(keys: number[], filters: Filters): number[]
  /** The hottest nodes, without those that are as hot as the ones left out. */
  hottest(limit: number): NodeFacts[]
}

type Found = Postings['found'][number]

export function findPostings(
  index: WordIndex,
  postings: readonly Posting[],
  { room = 0, filters, together }: PostingOptions = {},
): Omit<Postings, 'nodes'> {
  const found: Found[] = []
  const isNone = (place: number): boolean => found[place]?.count === 0
  const isCut = (place: number): boolean => {
    const { keys = [], count = 0 } = found[place] ?? {}
    const { limit = 0, countTo } = postings[place] ?? {}
    return countTo === undefined ? count >= limit : count > keys.length
  }
  for (const posting of postings) {
    const isSkipped = posting.ifCut !== undefined || posting.ifNone?.some(isNone) === false
    found.push(isSkipped ? { keys: [], count: 0 } : listed(index, posting))
  }
  // Rarest first.
  const counted = [...postings.keys()]
    .filter((place) => postings[place]?.countTo !== undefined && !isNone(place))
    .sort((a, b) => (found[a]?.count ?? 0) - (found[b]?.count ?? 0))
  const whole = listWhole(index, { postings, found, counted, room })
  for (const [place, posting] of postings.entries())
    if (posting.ifCut?.some(isCut)) found[place] = listed(index, posting)
  const answer: Omit<Postings, 'nodes'> = { found }
  if (filters) {
    const lists = found.filter((_, place) => !isCut(place)).flatMap(({ keys }) => keys)
    answer.passing = index.passing([...new Set(lists)], filters)
  }
  if (together && whole === 0) answer.together = listTogether(index, postings, counted, together)
  return answer
}

function listed(index: WordIndex, posting: Posting): Found {
  const { match, limit, countTo = 0 } = posting
  const keys = index.keysOf(posting, limit)
  if (!match || keys.length < limit || countTo <= limit) return { keys, count: keys.length }
  return { keys, count: index.countOf(match, countTo) }
}

interface Lists {
  postings: readonly Posting[]
  found: Found[]
  counted: readonly number[]
  room: number
}

/** Lists the rarest whole, and returns how many there is room for. */
function listWhole(index: WordIndex, { postings, found, counted, room }: Lists): number {
  let left = room
  for (const [at, place] of counted.entries()) {
    const [posting, one] = [postings[place] as Posting, found[place] as Found]
    left -= one.count
    // A count that reached its limit is only a lower bound.
    if (left < 0 || one.count === posting.countTo) return at
    if (one.keys.length < one.count) one.keys = index.keysOf(posting, one.count)
  }
  return counted.length
}

function listTogether(
  index: WordIndex,
  postings: readonly Posting[],
  counted: readonly number[],
  { enough, limit, filters }: NonNullable<PostingOptions['together']>,
): NonNullable<Postings['together']> {
  const lists: NonNullable<Postings['together']> = []
  const found = new Set<number>()
  for (let length = counted.length; length > 0 && found.size < enough; length--) {
    const places = counted.slice(0, length)
    const units = places.flatMap((place) => postings[place]?.match?.units ?? [])
    const match = { units, expression: { and: units.map((_, at) => at) } }
    const keys = index.keysOf({ match, filters, limit }, limit)
    for (const key of keys) found.add(key)
    lists.push({ places, keys })
  }
  return lists
}

/** The nodes that are asked for and those taken from a crowd, as `look` shows them; with filters, which of their siblings pass. */
export function findSurroundings(
  index: WordIndex,
  [keys, , filters, crowd]: Parameters<SearchReads['surroundings']>,
  look: (keys: readonly number[]) => Omit<Surroundings, 'passing'>,
): Surroundings {
  const wanted = [...keys, ...takeFrom(index, crowd)]
  const found = look(wanted)
  if (!filters) return found
  const siblings = new Set(found.nodes.flatMap(({ before, after }) => [...before, ...after]))
  for (const key of wanted) siblings.delete(key)
  return { ...found, passing: index.passing([...siblings], filters) }
}

function takeFrom(index: WordIndex, crowd: Crowd | undefined): number[] {
  if (!crowd) return []
  const { preferred, hottest } = crowd
  return mostLikely(crowd, index.hottest(hottest), preferred ? index.keysOf(preferred, preferred.limit) : [])
}
