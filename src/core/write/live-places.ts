import type { NodeState } from '../model.ts'
import { isLive } from '../port/rows.ts'
import type { DocumentNodeRow, Overlay } from '../port/store.ts'
import { arrange } from '../positions.ts'
import type { FlatBlock } from '../rows/flatten.ts'
import { isSameContent, isSamePlace, type NodeIdentity } from '../rows/plan.ts'
import type { OldNode } from './match/match-document.ts'

/** A document between its text and its nodes: arrays are indexed by block in `flat`. */
export interface PlacedDocument {
  flat: readonly FlatBlock[]
  nodes: readonly NodeIdentity[]
  /** The states from the text. */
  states: readonly NodeState[]
  matched: readonly (OldNode | undefined)[]
  /** The nodes before the put, by key. */
  rows: ReadonlyMap<number, DocumentNodeRow>
  /** Keys of nodes that are removed with it. */
  leaving: ReadonlySet<number>
}

export interface LivePlace {
  parentKey: number | null
  parentId: string | null
  position: string
}

export interface LivePlaces {
  places: LivePlace[]
  /** Blocks that an agent had moved to an impossible place. */
  overruled: ReadonlySet<number>
}

/**
 * Where the blocks of a document are in the memory: where its text has them, except that an agent's moves stay, and
 * that children of a block hidden by an agent take that block's place. No node is below itself or below a missing node.
 */
export function livePlaces(document: PlacedDocument): LivePlaces {
  const { states, nodes, rows } = document
  const places = states.map(({ parentKey, position }, place) => {
    const { parentId } = nodes[place] as NodeIdentity
    return { parentKey, parentId, position }
  })
  if (![...rows.values()].some((row) => row.overlay)) return { places, overruled: new Set() }
  const tops = topsAway(document)
  const { moved, overruled } = agentMoves(document, tops)
  fillIn(document, tops, moved, places)
  for (const place of moved) {
    const { parentKey, position } = oldRow(document, place)
    places[place] = { parentKey, parentId: null, position }
  }
  return { places, overruled }
}

/** True if the text under an overlay is the one that the agent saw. */
export function keepsOverlay(
  row: DocumentNodeRow,
  state: NodeState,
): row is DocumentNodeRow & { overlay: Overlay & { base: NodeState } } {
  return (
    row.overlay?.base !== undefined && row.overlay.base !== null && isSameContent(row.overlay.base, state)
  )
}

function oldRow({ matched }: PlacedDocument, place: number): DocumentNodeRow {
  return (matched[place] as OldNode).row
}

function isAway({ matched, states }: PlacedDocument, place: number): boolean {
  const row = matched[place]?.row
  return row !== undefined && !isLive(row) && keepsOverlay(row, states[place] as NodeState)
}

/** For every block the topmost of the hidden blocks directly above it, or -1. */
function topsAway(document: PlacedDocument): Int32Array {
  const { flat } = document
  const tops = new Int32Array(flat.length).fill(-1)
  for (const [place, { parent }] of flat.entries()) {
    if (parent < 0 || !isAway(document, parent)) continue
    tops[place] = (tops[parent] as number) >= 0 ? (tops[parent] as number) : parent
  }
  return tops
}

/** Blocks that stay where an agent put them. */
function agentMoves(
  document: PlacedDocument,
  tops: Int32Array,
): { moved: Set<number>; overruled: Set<number> } {
  const { flat, states, matched, rows, leaving } = document
  const moved = new Set<number>()
  const overruled = new Set<number>()
  for (const place of flat.keys()) {
    const row = matched[place]?.row
    if (!row || !isLive(row) || !keepsOverlay(row, states[place] as NodeState) || followsFile(row, rows))
      continue
    if (row.parentKey !== null && leaving.has(row.parentKey)) overruled.add(place)
    else moved.add(place)
  }
  for (const place of removeImpossibleMoves(document, tops, moved)) overruled.add(place)
  return { moved, overruled }
}

/** Whether agents changed a node from the file's version. */
export function isEdited(row: DocumentNodeRow, rows: PlacedDocument['rows']): boolean {
  if (!row.overlay) return false
  const { base } = row.overlay
  return !isLive(row) || base === null || !isSameContent(row, base) || !followsFile(row, rows)
}

/** Whether a node is in the place of a hidden block: then no agent moved it. */
function followsFile(row: DocumentNodeRow, rows: PlacedDocument['rows']): boolean {
  const base = row.overlay?.base ?? row
  let parentKey = base.parentKey
  let parent = parentKey === null ? undefined : rows.get(parentKey)
  if (!parent || isLive(parent)) return isSamePlace(row, base)
  while (parent && !isLive(parent)) {
    parentKey = (parent.overlay?.base ?? parent).parentKey
    parent = parentKey === null ? undefined : rows.get(parentKey)
  }
  return row.parentKey === parentKey
}

/** Removes from `moved` the blocks that would be below themselves, and returns them. */
function removeImpossibleMoves(document: PlacedDocument, tops: Int32Array, moved: Set<number>): number[] {
  const { nodes, states, rows } = document
  const placeOf = new Map(nodes.map(({ key }, place) => [key, place]))
  const parentOf = (key: number): number | null => {
    const place = placeOf.get(key)
    if (place === undefined) return rows.get(key)?.parentKey ?? null
    if (moved.has(place)) return oldRow(document, place).parentKey
    const top = tops[place] as number
    return (states[top >= 0 ? top : place] as NodeState).parentKey
  }
  const isBelowItself = (key: number): boolean => {
    const seen = new Set<number>()
    for (let at = parentOf(key); at !== null && !seen.has(at); at = parentOf(at)) {
      if (at === key) return true
      seen.add(at)
    }
    return false
  }
  const taken: number[] = []
  // Repeat after each: its place in the file may conflict with another.
  for (let found = true; found; ) {
    found = false
    for (const place of moved) {
      if (!isBelowItself((nodes[place] as NodeIdentity).key)) continue
      moved.delete(place)
      taken.push(place)
      found = true
    }
  }
  return taken
}

/** Children of a hidden block take its place, in document order. */
function fillIn(
  document: PlacedDocument,
  tops: Int32Array,
  moved: ReadonlySet<number>,
  places: LivePlace[],
): void {
  const { flat, nodes, states, matched } = document
  const inPlaceOf = new Map<number, number[]>()
  for (const place of flat.keys()) {
    const top = tops[place] as number
    if (top < 0 || moved.has(place) || isAway(document, place)) continue
    const others = inPlaceOf.get(top)
    if (others) others.push(place)
    else inPlaceOf.set(top, [place])
  }
  if (inPlaceOf.size === 0) return
  const nextSiblings = nextSiblingsOf(flat)
  for (const [top, members] of inPlaceOf) {
    const { parentKey, position } = states[top] as NodeState
    const { parentId } = nodes[top] as NodeIdentity
    const next = nextSiblings.get(top)
    const before = next === undefined ? null : (states[next] as NodeState).position
    const previous = members.map((place) => {
      const row = matched[place]?.row
      return row && isLive(row) && row.parentKey === parentKey ? row.position : null
    })
    arrange(previous, { after: position, before }).forEach((found, at) => {
      places[members[at] as number] = { parentKey, parentId, position: found }
    })
  }
}

function nextSiblingsOf(flat: readonly FlatBlock[]): Map<number, number> {
  const next = new Map<number, number>()
  const last = new Map<number, number>()
  for (const [place, { parent }] of flat.entries()) {
    const previous = last.get(parent)
    if (previous !== undefined) next.set(previous, place)
    last.set(parent, place)
  }
  return next
}
