import type { Database } from 'better-sqlite3'
import type { Memory } from '../../src/index.ts'
import type { Random } from '../engine/corpus.ts'
import type { Case } from '../engine/side-by-side.ts'
import type { Floors } from './floors.ts'
import type { Vocabulary } from './words.ts'

export interface CaseParts {
  memory: Memory
  floors: Floors
  db: Database
  vocabulary: Vocabulary
  random: Random
}

const INPUTS = 1500
const VERSIONS = 100
const TREE_NODES = 200
export const FOUR_FREQUENT = 'four frequent words'

/** Queries of each search, to compare their answers at several limits. */
const COMPARED = 20

export function queriesOf(parts: CaseParts): string[] {
  return searchCases(parts).flatMap(({ inputs }) => inputs.slice(0, COMPARED).map((words) => words.join(' ')))
}

export function createCases(parts: CaseParts): Case[] {
  return [...searchCases(parts), ...readCases(parts), ...relatedCases(parts)] as Case[]
}

function searchCases({ memory, floors, vocabulary, random }: CaseParts): Case<string[]>[] {
  const { rare, middling, frequent } = vocabulary
  const searching = (name: string, draw: () => string[]): Case<string[]> => ({
    name,
    inputs: Array.from({ length: INPUTS }, draw),
    ours: async (words) => (await memory.search({ query: words.join(' '), warm: false })).hits.length,
    floor: (words) => floors.search(words),
  })
  const some = (words: readonly string[], count: number) => () => draw(random, words, count)
  return [
    searching('a rare word', some(rare, 1)),
    searching('three rare words', some(rare, 3)),
    searching('a middling word', some(middling, 1)),
    searching('three middling words', some(middling, 3)),
    searching('a frequent word', some(frequent, 1)),
    searching('a question', () =>
      shuffled(random, [...draw(random, middling, 3), ...draw(random, frequent, 2)]),
    ),
    searching(FOUR_FREQUENT, some(frequent, 4)),
  ]
}

function readCases(parts: CaseParts): Case[] {
  return [fetchCase(parts), treeCase(parts), deltaCase(parts)] as Case[]
}

function fetchCase({ memory, floors, db, random }: CaseParts): Case<string> {
  return {
    name: 'fetch a file',
    inputs: titleIds(db, random),
    ours: async (anchor) => (await memory.fetch({ anchor, warm: false })).nodes.length,
    floor: (id) => floors.fetch(id),
  }
}

/** Always the same page: the first one is what everybody asks for. */
function treeCase({ memory, floors }: CaseParts): Case<number> {
  return {
    name: 'tree at depth 3',
    inputs: Array.from({ length: INPUTS }, () => TREE_NODES),
    ours: async (limit) => (await memory.tree({ depth: 3, limit, warm: false })).nodes.length,
    floor: (count) => floors.tree(count),
  }
}

function deltaCase({ memory, floors, db, random }: CaseParts): Case<Place> {
  const last = db.prepare('SELECT max(key) FROM nodes').pluck().get() as number
  return {
    name: 'delta, a page',
    inputs: Array.from({ length: INPUTS }, () => [1, Math.floor(random() * (last - VERSIONS))]),
    ours: async (place) =>
      (await memory.delta({ since: 0, limit: VERSIONS, after: place.join('.') })).items.length,
    floor: (place) => floors.delta(place),
  }
}

/** A snapshot and the key of a node. */
type Place = [snapshotId: number, nodeKey: number]

function relatedCases({ memory, floors, db, random }: CaseParts): Case<string>[] {
  const titles = titleIds(db, random)
  return [3, 5].map((depth) => ({
    name: `related at depth ${depth}`,
    inputs: titles,
    ours: async (anchor) => {
      const { related, leftOut } = await memory.related({ anchor, depth, budget: 0, warm: false })
      return related.length + leftOut
    },
    floor: (id) => floors.related(id, depth),
  }))
}

function titleIds(db: Database, random: Random): string[] {
  const ids = db.prepare(`SELECT id FROM nodes WHERE parent_key IS NULL AND removed_in IS NULL`).pluck().all()
  return draw(random, ids as string[], INPUTS)
}

/** Different ones; all of them when there are no more. */
function draw<T>(random: Random, from: readonly T[], count: number): T[] {
  if (from.length === 0) throw new Error('there is nothing to draw from; use a larger --sizes')
  if (count * 2 > from.length) return shuffled(random, from).slice(0, count)
  const drawn = new Set<T>()
  while (drawn.size < count) drawn.add(from[Math.floor(random() * from.length)] as T)
  return [...drawn]
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
