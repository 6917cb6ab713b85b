import { type IndexRow, indexRow } from '../find/query/index-row.ts'
import { linkName } from '../link.ts'
import type { NodeRow } from '../port/rows.ts'
import type { StoredNodeFacts } from '../port/stored.ts'
import type {
  HeatPut,
  IndexChange,
  NodePut,
  TextReferences,
  VersionPut,
  WriteSet,
} from '../port/write-set.ts'
import { coldnessOf, INITIAL_HEAT } from './coldness.ts'
import { countNode } from './counters.ts'
import type { NodeChange } from './plan.ts'

export interface NodeWrites extends Required<Pick<WriteSet, 'nodes' | 'versions' | 'index' | 'heat'>> {
  texts: TextReferences[]
  counters: Map<string, number>
  /** To be added to the state digest. */
  digest: bigint
}

/** The rows of changed nodes: nodes, versions, counts, index words and heat. */
export function nodeWrites(
  changes: readonly NodeChange[],
  before: ReadonlyMap<number, StoredNodeFacts>,
  { snapshotId, heatClock }: { snapshotId: number; heatClock: number },
): NodeWrites {
  const nodes: NodePut[] = []
  const versions: VersionPut[] = []
  const index: IndexChange[] = []
  const heat: HeatPut[] = []
  const texts = textReferences()
  const counters = new Map<string, number>()
  let digest = 0n
  for (const change of changes) {
    const was = before.get(change.key)
    const after = change.op === 'rem' ? removed(was, snapshotId) : stored(change, was)
    nodes.push({ before: was ?? null, after, textBefore: was?.text ?? null })
    const state = change.op === 'rem' ? null : change.state
    versions.push({ key: change.key, snapshotId, op: change.op, state })
    if (change.op !== 'rem') texts.add(change.state.digest, change.text)
    const words = indexChange(change, was)
    if (words) index.push(words)
    const place = heatPut(change, was, heatClock)
    if (place) heat.push(place)
    if (was && was.removedIn === null) digest += countNode(counters, was, -1)
    if (after.removedIn === null) digest += countNode(counters, after, 1)
  }
  return {
    nodes,
    versions: { put: versions, remove: [] },
    index,
    heat,
    texts: texts.list(),
    counters,
    digest,
  }
}

function stored(change: Exclude<NodeChange, { op: 'rem' }>, was: NodeRow | undefined): NodeRow {
  const { key, label, tokens, mark, state } = change
  const { parentKey, position, type, format, digest, links } = state
  const { id, documentId } = was ?? change
  const name = nameOf(type, label)
  const content = { parentKey, position, type, format, label, name, tokens, digest, links, mark }
  return { key, id, documentId, ...content, removedIn: null }
}

function removed(was: NodeRow | undefined, snapshotId: number): NodeRow {
  if (!was || was.removedIn !== null) throw new Error('a removed node does not exist')
  return withoutContent(was, snapshotId)
}

/** The row of a removed node. */
export function withoutContent(was: NodeRow, snapshotId: number): NodeRow {
  const { key, id, documentId, type, format } = was
  const nothing = { parentKey: null, position: '', label: '', name: null, tokens: 0, digest: '' }
  return { key, id, documentId, type, format, ...nothing, links: null, mark: null, removedIn: snapshotId }
}

/** The name by which links find a node: only headings are found by their label. */
export function nameOf(type: string, label: string): string | null {
  return type === 'heading' && label !== '' ? linkName(label) : null
}

/** A node that only moves keeps its words. */
function indexChange(change: NodeChange, was: StoredNodeFacts | undefined): IndexChange | undefined {
  const after = change.op === 'rem' ? null : change.words
  if (change.op !== 'rem' && after === null) return undefined
  const before = was && wordsOf(was)
  if (before && after && before.label === after.label && before.body === after.body) return undefined
  return { key: change.key, before: before ?? null, after }
}

/** The index words of a stored node; none for a removed one. */
export function wordsOf({
  type,
  label,
  text,
}: Pick<StoredNodeFacts, 'type' | 'label' | 'text'>): IndexRow | null {
  return text === null ? null : indexRow({ type, label, text })
}

/** A node that returns has its previous heat and pin. */
function heatPut(change: NodeChange, was: StoredNodeFacts | undefined, clock: number): HeatPut | undefined {
  const { key, op } = change
  if (!was) {
    const unread = { pinned: false, accesses: 0, accessedAt: null, told: false }
    const coldness = coldnessOf(INITIAL_HEAT, clock)
    return { key, isNew: true, value: INITIAL_HEAT, clock, ...unread, coldness }
  }
  if (op === 'rem') return { ...was.heat, isNew: false, coldness: null }
  if (was.removedIn === null) return undefined
  const { value, clock: then, pinned } = was.heat
  return { ...was.heat, isNew: false, coldness: pinned ? null : coldnessOf(value, then) }
}

/** Sums references, each text once. */
export function textReferences() {
  const known = new Map<string, TextReferences>()
  return {
    add(digest: string, text: string | null, by = 1): void {
      const reference = known.get(digest)
      if (!reference) known.set(digest, { digest, text, by })
      else {
        reference.by += by
        reference.text ??= text
      }
    },
    list: (): TextReferences[] => [...known.values()],
  }
}
