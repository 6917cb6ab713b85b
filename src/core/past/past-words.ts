import { fits, hasUnit } from '../find/match.ts'
import { type IndexRow, indexRow } from '../find/query/index-row.ts'
import type { Unit } from '../find/query/query-model.ts'
import type { Match } from '../port/search.ts'
import type { ReadTx, SnapshotRow } from '../port/store.ts'
import { keysOf, type PastNode, type PastNodes } from './past-nodes.ts'

/** The words of some nodes as they were. */
interface WordTable {
  keys: number[]
  rows: IndexRow[]
  /** The places of rows by their words. */
  byWord: Map<string, number[]>
}

/** How many nodes have their words read at once. */
const PAGE = 2000
/** For more nodes, each search reads the words again: they would take too much memory. */
const MAX_KEPT = 20_000

type WordsTx = Pick<ReadTx, 'statesAt'>

/** Finds changed nodes by the words that they had. */
export function createPastWords({ nodes, snapshot }: { nodes: PastNodes; snapshot: SnapshotRow }) {
  let kept: Promise<WordTable[]> | undefined

  async function* readTables(tx: WordsTx): AsyncGenerator<WordTable> {
    for (let at = 0; at < nodes.were.length; at += PAGE)
      yield tableOf(await wordsOf(tx, nodes.were.slice(at, at + PAGE)))
  }
  async function keepTables(tx: WordsTx): Promise<WordTable[]> {
    const all: WordTable[] = []
    for await (const table of readTables(tx)) all.push(table)
    return all
  }
  async function* tables(tx: WordsTx): AsyncGenerator<WordTable> {
    if (nodes.were.length > MAX_KEPT) return yield* readTables(tx)
    kept ??= keepTables(tx)
    // What failed is read again by the next search.
    kept.catch(() => (kept = undefined))
    yield* await kept
  }
  async function wordsOf(tx: WordsTx, some: readonly PastNode[]): Promise<Map<number, IndexRow>> {
    const labels = new Map(some.map((node) => [node.key, node]))
    const states = some.length === 0 ? [] : await tx.statesAt(keysOf(some), snapshot.id)
    return new Map(
      states.flatMap(({ key, state }) => {
        const node = labels.get(key)
        return state && node
          ? [[key, indexRow({ type: node.type, label: node.label, text: state.text })]]
          : []
      }),
    )
  }
  return {
    /** The keys of changed nodes that matched; null: all. */
    async find(tx: WordsTx, match: Match | null): Promise<number[]> {
      if (!match) return keysOf(nodes.were)
      const found: number[] = []
      for await (const table of tables(tx)) for (const key of matching(table, match)) found.push(key)
      return found
    },
    wordsOf,
  }
}

export type PastWords = ReturnType<typeof createPastWords>

function tableOf(words: ReadonlyMap<number, IndexRow>): WordTable {
  const rows = [...words.values()]
  const byWord = new Map<string, number[]>()
  for (const [at, { label, body }] of rows.entries())
    for (const word of new Set(`${label} ${body}`.split(' '))) {
      const places = byWord.get(word)
      if (places) places.push(at)
      else byWord.set(word, [at])
    }
  return { keys: [...words.keys()], rows, byWord }
}

function matching(table: WordTable, { units, expression, inLabel }: Match): number[] {
  const having = units.map((unit) => placesWith(table, unit, inLabel))
  const hasUnitAt = (place: number) => (unit: number) => having[unit]?.has(place) === true
  const isFoundWithout = fits(expression, () => false)
  const candidates = isFoundWithout ? table.keys.keys() : new Set(having.flatMap((places) => [...places]))
  return [...candidates].filter((at) => fits(expression, hasUnitAt(at))).map((at) => table.keys[at] as number)
}

/** The places of rows that have a unit: by its rarest word first, then exactly. */
function placesWith({ rows, byWord }: WordTable, unit: Unit, inLabel = false): Set<number> {
  const lists = unit.words.map((word, at) => {
    const isPrefix = unit.kind === 'prefix' && at === unit.words.length - 1
    return isPrefix ? placesStarting(byWord, word) : (byWord.get(word) ?? [])
  })
  const [rarest = []] = lists.sort((a, b) => a.length - b.length)
  return new Set(rarest.filter((at) => hasUnit(rows[at] as IndexRow, unit, inLabel)))
}

function placesStarting(byWord: ReadonlyMap<string, number[]>, prefix: string): number[] {
  const found = new Set<number>()
  for (const [word, places] of byWord) if (word.startsWith(prefix)) for (const at of places) found.add(at)
  return [...found]
}
