import { assignIds } from './assign-ids.ts'
import type { Hash64 } from './digest.ts'
import type { DocumentToPlan } from './document-to-plan.ts'
import type { FlatBlock } from './flatten.ts'
import { isEdited, keepsOverlay, type LivePlace, livePlaces, type PlacedDocument } from './live-places.ts'
import { matchDocument, type OldNode } from './match-document.ts'
import type { NodeState } from './model.ts'
import { overlayOf } from './overlay.ts'
import {
  blockState,
  contentChange,
  isSameContent,
  isSamePlace,
  isUnchanged,
  moveChange,
  type NodeIdentity,
  type Plan,
} from './plan.ts'
import { isLive } from './port/rows.ts'
import type { DocumentNodeRow, NodeRow, Overlay, WriteTx } from './port/store.ts'
import { arrange, type Bounds } from './positions.ts'

interface PlanContext {
  tx: WriteTx
  hash: Hash64
  /** The first of `count` keys that no node has had. */
  newKeys(count: number): Promise<number>
}

/** Finds out what a document's new text does to its nodes: who stays, who moves, who comes and who goes. */
export async function planDocument(
  { tx, hash, newKeys }: PlanContext,
  plan: Plan,
  input: DocumentToPlan,
): Promise<void> {
  const all = await tx.nodes({ document: input.documentId }, 'full')
  const rows = new Map(all.map((row) => [row.key, row]))
  const matched = await matchDocument(tx, all, input.flat)
  matchFirstRoot(input, all, matched)
  const revived = await reviveRemoved(tx, input, matched)
  const known = input.flat.map((_, place) => matched[place]?.row ?? revived.get(place))
  // Every question goes to another thread: none that has its answer already.
  const newcomers = known.filter((row) => !row).length
  const firstKey = newcomers > 0 ? await newKeys(newcomers) : 0
  const toName = { ...input, known: known.map((row) => row?.id), salt: firstKey }
  const [ids = []] = await assignIds(tx, hash, [toName])
  const nodes = identify(input, ids, firstKey, known)
  const states = placeBlocks(input, nodes, matched, revived)
  const leaving = planDepartures(plan, rows, matched)
  const overlaid = all.filter((row) => row.overlay).map((row) => row.digest)
  const liveTexts = overlaid.length > 0 ? await tx.texts(overlaid) : new Map<string, string>()
  planArrivals({ hash, plan, flat: input.flat, nodes, states, matched, rows, leaving, liveTexts })
  await planLeftBehind(tx, hash, plan, leaving)
}

/** Ids and keys for all blocks of documents that nobody has seen before. */
export interface NewNames {
  ids: string[][]
  firstKey: number
}

export async function nameNewDocuments(
  { tx, hash, newKeys }: PlanContext,
  inputs: readonly Omit<DocumentToPlan, 'documentId'>[],
): Promise<NewNames> {
  const count = inputs.reduce((sum, { flat }) => sum + flat.length, 0)
  const [ids, firstKey] = await Promise.all([assignIds(tx, hash, inputs), newKeys(count)])
  return { ids, firstKey }
}

/** The same for documents that nobody has seen before: everything in them is new. */
export function planNewDocuments(
  hash: Hash64,
  plan: Plan,
  inputs: readonly DocumentToPlan[],
  { ids, firstKey: allocated }: NewNames,
): void {
  let firstKey = allocated
  for (const [at, input] of inputs.entries()) {
    const nodes = identify(input, ids[at] as string[], firstKey, [])
    const states = placeBlocks(input, nodes, [], new Map())
    for (const [place, block] of input.flat.entries()) {
      plan.changes.push(
        contentChange(hash, 'add', nodes[place] as Identified, states[place] as NodeState, block),
      )
    }
    firstKey += input.flat.length
  }
}

/** Every fresh block's old node, or undefined. */
type Matched = (OldNode | undefined)[]

/** A document whose first root has a given id is known by it: whatever that root says, it goes on. */
function matchFirstRoot({ firstRootId }: DocumentToPlan, rows: DocumentNodeRow[], matched: Matched): void {
  const row = rows.find(({ id }) => id === firstRootId)
  if (row && !matched[0] && !matched.some((old) => old?.row === row)) matched[0] = { row, base: row }
}

/** A text that comes back to its document is the node it was before: its history goes on. */
async function reviveRemoved(
  tx: WriteTx,
  input: DocumentToPlan,
  matched: Matched,
): Promise<Map<number, NodeRow>> {
  const revived = new Map<number, NodeRow>()
  const first = matched[0] ? undefined : await findFirstRoot(tx, input)
  if (first) revived.set(0, first)
  const open = input.flat.flatMap((block, place) =>
    matched[place] || revived.has(place) ? [] : [{ block, place }],
  )
  if (open.length === 0) return revived
  const lastTexts = open.map(({ block }) => block.digest)
  const removed = await tx.nodes({ document: input.documentId, lastTexts }, 'full')
  const left = Map.groupBy(
    removed.filter((row) => row.key !== first?.key).reverse(),
    (row) => `${row.type} ${row.digest}`,
  )
  for (const { block, place } of open) {
    const row = left.get(`${block.type} ${block.digest}`)?.pop()
    if (row) revived.set(place, row)
  }
  return revived
}

async function findFirstRoot(
  tx: WriteTx,
  { documentId, firstRootId }: DocumentToPlan,
): Promise<NodeRow | undefined> {
  if (firstRootId === undefined) return undefined
  const [version] = await tx.versions({ nodeId: firstRootId }, { limit: 1 })
  if (!version) return undefined
  const [row] = await tx.nodes({ keys: [version.nodeKey], removed: true }, 'full')
  return row?.documentId === documentId && !isLive(row) ? row : undefined
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

/** What the text says of each block: as many siblings as possible stay where they were. */
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

/** Blocks by parent, in order; roots that hang in different places are families of their own. */
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

/** Nodes of the file that its new text does not have. What an agent alone keeps alive stays. */
function planDepartures(plan: Plan, rows: PlacedDocument['rows'], matched: Matched): Set<number> {
  const staying = new Set(matched.flatMap((old) => (old ? [old.row.key] : [])))
  const leaving = new Set<number>()
  for (const row of rows.values()) {
    if (staying.has(row.key) || (row.overlay && !row.overlay.base)) continue
    if (row.overlay) plan.settledOverlays.push(row.key)
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
  liveTexts: Map<string, string>
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
    if (row?.overlay) settleOverlay(all, row, state)
    const { parentId, ...live } = target
    const next = { ...state, ...live }
    if (row && isLive(row) && isUnchanged(row, next, block.label)) continue
    all.plan.changes.push(
      contentChange(all.hash, node.isNew ? 'add' : 'mod', { ...node, parentId }, next, block),
    )
  }
}

/** The file did not change under the overlay: what the agent made of the node stays; it only moves with the file. */
function planOverlay(
  { hash, plan, liveTexts }: Arrivals,
  row: DocumentNodeRow & { overlay: Overlay },
  file: { state: NodeState; label: string; target: LivePlace; isOverruled: boolean },
): void {
  const { state, target } = file
  const { operation, base } = row.overlay
  // An agent that only moved a node left its text to the file, and so its links.
  const links = isSameContent(row, state) ? state.links : row.links
  if (isLive(row) && (links !== row.links || !isSamePlace(row, target))) {
    plan.changes.push(moveChange(hash, { ...row, links }, liveTexts.get(row.digest) ?? '', target))
  }
  if (file.isOverruled) plan.conflicts.push({ nodeId: row.id, operation, kind: 'changed' })
  if (isLive(row) && isUnchanged({ ...row, ...target, links }, state, file.label))
    plan.settledOverlays.push(row.key)
  else if (!base || !isSamePlace(base, state)) {
    plan.overlays.push(overlayOf(row, operation, state))
  }
}

function settleOverlay({ plan, rows }: Arrivals, row: DocumentNodeRow, state: NodeState): void {
  plan.settledOverlays.push(row.key)
  const agrees = isLive(row) && row.digest === state.digest
  if (row.overlay && !agrees && isEdited(row, rows)) {
    plan.conflicts.push({ nodeId: row.id, operation: row.overlay.operation, kind: 'changed' })
  }
}

/** What hung under a node that leaves, and neither leaves nor moves itself, becomes a root. */
export async function planLeftBehind(
  tx: WriteTx,
  hash: Hash64,
  plan: Plan,
  leaving: ReadonlySet<number>,
  settled: ReadonlySet<number> = new Set(plan.changes.map((change) => change.key)),
): Promise<void> {
  if (leaving.size === 0) return
  const left = (await tx.nodes({ parents: [...leaving] }, 'full')).filter((row) => !settled.has(row.key))
  const texts = await tx.texts(left.map((row) => row.digest))
  for (const row of left) {
    const text = texts.get(row.digest) ?? ''
    plan.changes.push(
      moveChange(hash, row, text, { parentKey: null, parentId: null, position: row.position }),
    )
  }
}
