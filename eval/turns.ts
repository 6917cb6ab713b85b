import type { ForestEnvelope, ForestNode } from '../src/index.ts'
import type { Turn } from './dataset.ts'

/** Which turn each node is, and what in the notes is not as the turns say. */
export interface TurnMap {
  /** By the id of a node; headings, and paragraphs that no turn names, have none. */
  turnOf: ReadonlyMap<string, string>
  problems: string[]
}

/** A turn is the n-th paragraph of its file: whatever is no heading, in the order of the document. */
export function mapTurns({ roots }: ForestEnvelope, turns: readonly Turn[]): TurnMap {
  const paragraphs = Map.groupBy(roots.flatMap(paragraphsOf), ({ source }) => source)
  const turnOf = new Map<string, string>()
  for (const { id, file, ordinal } of turns) {
    const paragraph = paragraphs.get(file)?.[ordinal]
    for (const node of paragraph ? withDescendants(paragraph) : []) turnOf.set(node.id, id)
  }
  return { turnOf, problems: compareCounts(paragraphs, turns) }
}

/** What hits lead to, each turn once, in the order of the first hit on it. */
export function distinctTurns(ids: readonly string[], turnOf: ReadonlyMap<string, string>): string[] {
  return [...new Set(ids.flatMap((id) => turnOf.get(id) ?? []))]
}

function paragraphsOf(node: ForestNode): ForestNode[] {
  return node.type === 'heading' ? node.children.flatMap(paragraphsOf) : [node]
}

function withDescendants(node: ForestNode): ForestNode[] {
  return [node, ...node.children.flatMap(withDescendants)]
}

function compareCounts(paragraphs: ReadonlyMap<string, ForestNode[]>, turns: readonly Turn[]): string[] {
  return [...Map.groupBy(turns, ({ file }) => file)].flatMap(([file, own]) => {
    const expected = Math.max(...own.map(({ ordinal }) => ordinal)) + 1
    const found = paragraphs.get(file)?.length ?? 0
    return found === expected ? [] : [`${file} has ${found} paragraphs, turns.jsonl expects ${expected}`]
  })
}
