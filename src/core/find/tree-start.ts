import { notACursor } from '../errors.ts'
import { outlineNode } from '../operation.ts'
import type { OutlinePlace, OutlineRow } from '../port/outline.ts'
import type { ReadTx } from '../port/store.ts'
import { lineage } from './lineage.ts'
import { createOutlineReader, type OutlineReader, type Pages } from './outline-reader.ts'
import type { Frame } from './walk.ts'

export interface TreeStart {
  reader: OutlineReader
  /** What is to come, for `walk`. */
  frames: Frame[]
  topDepth: number
  /** The node that was asked for. */
  top?: OutlineRow
  /** What the first node may stand below. */
  above: OutlineRow[]
  /** The one that the page before ended in. */
  documentId?: number
}

/** Where a page begins: at the top, or after the node that the page before it ended with. */
export async function startOf(
  tx: ReadTx,
  { root, after, depth }: { root: string | undefined; after: string | undefined; depth: number },
): Promise<TreeStart> {
  const top = root === undefined ? undefined : await lineage(tx, await outlineNode(tx, root))
  const topDepth = top ? top.length - 1 : 0
  const asked = top?.[0] && { top: top[0] }
  const reader = createOutlineReader(tx)
  if (after === undefined) {
    const pages = top ? only(top[0]) : reader.from(null)
    return { reader, frames: [{ level: 0, pages }], topDepth, ...asked, above: [] }
  }
  const end = await findEnd(tx, after)
  const places = belowTop([end.place, ...end.above], top?.[0])
  const frames = places.map((place, at) => framesAfter(reader, place, places.length - 1 - at + (top ? 1 : 0)))
  frames.reverse()
  if (end.row) frames.push({ level: frames.length + (top ? 1 : 0), pages: reader.below(end.row) })
  return {
    reader,
    frames: frames.filter(({ level }) => level <= depth),
    topDepth,
    ...asked,
    above: end.row ? [end.row, ...end.above] : end.above,
    documentId: end.place.documentId,
  }
}

async function* only(row: OutlineRow | undefined): Pages {
  if (row) yield [row]
}

interface Place extends OutlinePlace {
  parentKey: number | null
}

function framesAfter(reader: OutlineReader, place: Place, level: number): Frame {
  return { level, pages: reader.from(place.parentKey, place) }
}

/** Of places from the inside out, those below `top`; all where there is none. */
function belowTop(places: Place[], top: OutlineRow | undefined): Place[] {
  if (!top) return places
  const at = places.findIndex(({ key }) => key === top.key)
  if (at < 0) throw notACursor()
  return places.slice(0, at)
}

interface End {
  place: Place
  /** The node itself, while it is there. */
  row?: OutlineRow
  above: OutlineRow[]
}

/** Where a page ended. A node that went since is looked for where it was; with all that was above it, where that was. */
async function findEnd(tx: ReadTx, id: string): Promise<End> {
  if (typeof id !== 'string') throw notACursor()
  const [row] = await tx.outlineByIds([id])
  if (row) return { place: row, row, above: (await lineage(tx, row)).slice(1) }
  const [version] = await tx.versions({ nodeId: id }, { limit: 1 })
  const past = version?.old
  if (!version || !past) throw notACursor()
  const parent = past.parentId === null ? null : (await tx.outlineByIds([past.parentId]))[0]
  if (parent === undefined && past.parentId !== null) return findEnd(tx, past.parentId)
  const [removed] = await tx.nodesByKey([version.nodeKey])
  if (!removed) throw notACursor()
  const { key, documentId } = removed
  const place = { key, documentId, position: past.position, parentKey: parent?.key ?? null }
  return { place, above: parent ? await lineage(tx, parent) : [] }
}
