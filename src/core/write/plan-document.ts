import type { Hash64 } from '../digest.ts'
import type { NodeState } from '../model.ts'
import type { DocumentContents } from '../port/contents.ts'
import { isLive } from '../port/rows.ts'
import type { DocumentNodeRow, NodeRow, Overlay } from '../port/store.ts'
import type { StoredNodeFacts } from '../port/stored.ts'
import { arrange, type Bounds } from '../positions.ts'
import type { FlatBlock } from '../rows/flatten.ts'
import {
  blockState,
  contentChange,
  createPlan,
  isSameContent,
  isSamePlace,
  isUnchanged,
  moveChange,
  type NodeIdentity,
  type Plan,
} from '../rows/plan.ts'
import { assignIds, type IdBook } from './assign-ids.ts'
import type { DocumentToPlan } from './document-to-plan.ts'
import { isEdited, keepsOverlay, type LivePlace, livePlaces, type PlacedDocument } from './live-places.ts'
import { overlayOf } from './overlay.ts'
import { type Matched, type Matching, type MatchTx, matchOld, NOTHING_OLD } from './plan-matching.ts'

interface PlanContext {
  tx: MatchTx
  hash: Hash64
  ids: IdBook
  /** Returns the first of `count` unused node keys. */
  newKeys(count: number): Promise<number>
}

/** Computes what new texts do to the nodes of their documents: kept, moved, added and removed. One plan for each. */
export async function planDocuments(
  { tx, hash, ids, newKeys }: PlanContext,
  inputs: readonly DocumentToPlan[],
  contents: DocumentContents,
): Promise<Plan[]> {
  const nodes = Map.groupBy(contents.nodes, ({ documentId }) => documentId)
  const removed = Map.groupBy(contents.removed, ({ documentId }) => documentId)
  const existing = new Set(contents.documents.map(({ id }) => id))
  const matchings: Matching[] = []
  for (const input of inputs) {
    const id = input.documentId
    const old = { nodes: nodes.get(id) ?? [], removed: removed.get(id) ?? [] }
    matchings.push(existing.has(id) ? await matchOld(tx, input, old) : NOTHING_OLD)
  }
  const newcomers = matchings.map(({ known }, at) => {
    const { flat } = inputs[at] as DocumentToPlan
    return flat.filter((_, place) => !known[place]).length
  })
  const total = newcomers.reduce((sum, count) => sum + count, 0)
  let next = total > 0 ? await newKeys(total) : 0
  const firstKeys = newcomers.map((count) => {
    next += count
    return next - count
  })
  const toName = inputs.map((input, at) => {
    const { known } = matchings[at] as Matching
    if (!existing.has(input.documentId)) return input
    return { ...input, known: known.map((row) => row?.id), salt: firstKeys[at] as number }
  })
  if (total > 0) for (const { id } of contents.nodes) ids.take(id)
  const named = await assignIds(ids, hash, toName)
  const plans = inputs.map((input, at) =>
    planDocument(hash, input, {
      ...{ matching: matchings[at] as Matching, ids: named[at] as string[] },
      firstKey: firstKeys[at] as number,
    }),
  )
  const planned = new Set(plans.flatMap(({ changes }) => changes.map(({ key }) => key)))
  const below = Map.groupBy([...contents.nodes, ...contents.guests], ({ parentKey }) => parentKey)
  for (const plan of plans) {
    const leaving = plan.changes.flatMap(({ op, key }) => (op === 'rem' ? [key] : []))
    planLeftBehind(hash, plan, { planned, nodes: leaving.flatMap((key) => below.get(key) ?? []) })
  }
  return plans
}

function planDocument(
  hash: Hash64,
  input: DocumentToPlan,
  { matching, ids, firstKey }: { matching: Matching; ids: string[]; firstKey: number },
): Plan {
  const plan = createPlan()
  if (matching === NOTHING_OLD) {
    planNewBlocks(hash, plan, input, { ids, firstKey })
    return plan
  }
  const { rows, matched, revived, known, texts: liveTexts } = matching
  const nodes = identify(input, ids, firstKey, known)
  const states = placeBlocks(input, nodes, matched, revived)
  const leaving = planDepartures(plan, rows, matched)
  planArrivals({ hash, plan, flat: input.flat, nodes, states, matched, rows, leaving, liveTexts })
  return plan
}

/** The same for new documents: everything in them is new. */
export function planNewBlocks(
  hash: Hash64,
  plan: Plan,
  input: DocumentToPlan,
  { ids, firstKey }: { ids: string[]; firstKey: number },
): void {
  const nodes = identify(input, ids, firstKey, [])
  const states = placeBlocks(input, nodes, [], new Map())
  for (const [place, block] of input.flat.entries()) {
    plan.changes.push(
      contentChange(hash, 'add', nodes[place] as Identified, states[place] as NodeState, block),
    )
  }
}

interface Identified extends NodeIdentity {
  isNew: boolean
}

function identify(
  input: DocumentToPlan,
  ids: string[],
  firstKey: number,
  known: (NodeRow | undefined)[],
): Identified[] {
  let key = firstKey
  const nodes: Identified[] = []
  for (const [place, block] of input.flat.entries()) {
    const row = known[place]
    const parentId =
      block.parent >= 0
        ? (nodes[block.parent] as Identified).id
        : (input.attachments?.[block.index]?.parentId ?? null)
    nodes.push({
      key: row ? row.key : key++,
      id: ids[place] as string,
      documentId: input.documentId,
      parentId,
      isNew: !row || !isLive(row),
    })
  }
  return nodes
}

/** The state of each block from the text: as many siblings as possible keep their position. */
function placeBlocks(
  input: DocumentToPlan,
  nodes: Identified[],
  matched: Matched,
  revived: ReadonlyMap<number, NodeRow>,
): NodeState[] {
  const positions = new Array<string>(input.flat.length)
  const positionIn = (place: number, was: Pick<NodeState, 'parentKey' | 'position'> | undefined) =>
    was?.position && was.parentKey === parentKeyOf(input, nodes, place) ? was.position : null
  for (const family of families(input)) {
    const previous = family.places.map((place) => positionIn(place, matched[place]?.base))
    const remembered =
      revived.size > 0 ? family.places.map((place) => positionIn(place, revived.get(place))) : undefined
    arrange(previous, family.bounds, remembered).forEach((position, at) => {
      positions[family.places[at] as number] = position
    })
  }
  return input.flat.map((block, place) =>
    blockState(block, parentKeyOf(input, nodes, place), positions[place] as string),
  )
}

function parentKeyOf(input: DocumentToPlan, nodes: Identified[], place: number): number | null {
  const { parent, index } = input.flat[place] as FlatBlock
  return parent >= 0 ? (nodes[parent] as Identified).key : (input.attachments?.[index]?.parentKey ?? null)
}

/** Blocks by parent, in order; roots with different parents are separate families. */
function families(input: DocumentToPlan): { places: number[]; bounds: Bounds }[] {
  const byParent = new Map<string, { places: number[]; bounds: Bounds }>()
  for (const [place, { parent, index }] of input.flat.entries()) {
    const attachment = parent < 0 ? input.attachments?.[index] : undefined
    const bounds = attachment?.bounds ?? { after: null, before: null }
    const name = attachment ? `${attachment.parentKey} ${bounds.after} ${bounds.before}` : String(parent)
    const family = byParent.get(name)
    if (family) family.places.push(place)
    else byParent.set(name, { places: [place], bounds })
  }
  return [...byParent.values()]
}

/** Removes nodes that the file's new text does not have. Nodes that only an agent keeps stay. */
function planDepartures(plan: Plan, rows: PlacedDocument['rows'], matched: Matched): Set<number> {
  const staying = new Set(matched.flatMap((old) => (old ? [old.row.key] : [])))
  const leaving = new Set<number>()
  for (const row of rows.values()) {
    if (staying.has(row.key) || (row.overlay && !row.overlay.base)) continue
    if (row.overlay) plan.removedOverlays.push(row.key)
    if (!isLive(row)) continue
    if (row.overlay && isEdited(row, rows)) {
      plan.conflicts.push({ nodeId: row.id, operation: row.overlay.operation, kind: 'removed' })
    }
    leaving.add(row.key)
    plan.changes.push({ op: 'rem', key: row.key })
  }
  return leaving
}

interface Arrivals extends PlacedDocument {
  hash: Hash64
  plan: Plan
  nodes: Identified[]
  liveTexts: ReadonlyMap<string, string>
}

function planArrivals(all: Arrivals): void {
  const { places, overruled } = livePlaces(all)
  for (const [place, block] of all.flat.entries()) {
    const row = all.matched[place]?.row
    const node = all.nodes[place] as Identified
    const state = all.states[place] as NodeState
    const target = places[place] as LivePlace
    if (row && keepsOverlay(row, state)) {
      planOverlay(all, row, { state, label: block.label, target, isOverruled: overruled.has(place) })
      continue
    }
    if (row?.overlay) dropOverlay(all, row, state)
    const { parentId, ...live } = target
    const next = { ...state, ...live }
    if (row && isLive(row) && isUnchanged(row, next, block.label)) continue
    all.plan.changes.push(
      contentChange(all.hash, node.isNew ? 'add' : 'mod', { ...node, parentId }, next, block),
    )
  }
}

/** The file did not change under the overlay: the agent's edit stays; the node only moves with the file. */
function planOverlay(
  { hash, plan, liveTexts }: Arrivals,
  row: DocumentNodeRow & { overlay: Overlay },
  file: { state: NodeState; label: string; target: LivePlace; isOverruled: boolean },
): void {
  const { state, target } = file
  const { operation, base } = row.overlay
  // An agent that only moved a node left its text and links to the file.
  const links = isSameContent(row, state) ? state.links : row.links
  if (isLive(row) && (links !== row.links || !isSamePlace(row, target))) {
    plan.changes.push(moveChange(hash, { ...row, links }, liveTexts.get(row.digest) ?? '', target))
  }
  if (file.isOverruled) plan.conflicts.push({ nodeId: row.id, operation, kind: 'changed' })
  if (isLive(row) && isUnchanged({ ...row, ...target, links }, state, file.label))
    plan.removedOverlays.push(row.key)
  else if (!base || !isSamePlace(base, state)) {
    plan.overlays.push(overlayOf(row, operation, state))
  }
}

function dropOverlay({ plan, rows }: Arrivals, row: DocumentNodeRow, state: NodeState): void {
  plan.removedOverlays.push(row.key)
  const agrees = isLive(row) && row.digest === state.digest
  if (row.overlay && !agrees && isEdited(row, rows)) {
    plan.conflicts.push({ nodeId: row.id, operation: row.overlay.operation, kind: 'changed' })
  }
}

/** Children of a removed node that neither are removed nor move become roots. */
export function planLeftBehind(
  hash: Hash64,
  plan: Plan,
  { planned, nodes }: { planned: Set<number>; nodes: Iterable<StoredNodeFacts> },
): void {
  for (const node of nodes) {
    const { key, removedIn, position } = node
    if (removedIn !== null || planned.has(key)) continue
    planned.add(key)
    plan.changes.push(moveChange(hash, node, node.text ?? '', { parentKey: null, parentId: null, position }))
  }
}
