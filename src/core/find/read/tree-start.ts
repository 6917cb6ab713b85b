import { notACursor } from '../../errors.ts'
import type { OutlinePlace, OutlineRow, OutlineStart } from '../../port/nodes.ts'
import type { ReadTx } from '../../port/store.ts'
import { checkNodeId, notFound } from '../../write/operation.ts'
import { type Step, type WalkInput, walk } from './walk.ts'

export interface TreeStart {
  /** From here on, down to `depth`. */
  steps: AsyncIterable<Step>
  topDepth: number
  /** The requested node. */
  top?: OutlineRow
  /** The id of the next root, if it is at the top of its document. */
  following: string | undefined
  /** The possible ancestors of the first node. */
  above: OutlineRow[]
  /** The document in which the previous page ended. */
  documentId?: number
}

export interface TreeStartInput extends Omit<WalkInput, 'from'> {
  root: string | undefined
  after: string | undefined
}

/** The start of a page: the top, or after the last node of the previous page. */
export async function startOf(tx: ReadTx, { root, after, ...input }: TreeStartInput): Promise<TreeStart> {
  if (root !== undefined) checkNodeId(root)
  const line = root === undefined ? undefined : lineage(tx, root)
  if (after === undefined) {
    const { steps, first } = walk(tx, {
      ...input,
      from: [root === undefined ? { parentKey: null } : { id: root }],
    })
    const top = topOf(root, await line)
    return { steps, ...top, following: (await first)?.following, above: [] }
  }
  const top = topOf(root, await line)
  const [end, following] = await Promise.all([findEnd(tx, after), followingOf(tx, root)])
  const places = belowTop([end.place, ...end.above], top.top)
  const shift = top.top ? 1 : 0
  const starts = places.map(
    (place, at): OutlineStart => ({
      parentKey: place.parentKey,
      after: place,
      level: places.length - 1 - at + shift,
    }),
  )
  if (end.row) starts.unshift({ parentKey: end.row.key, level: places.length + shift })
  const from = starts.filter(({ level = 0 }) => level <= input.depth)
  return {
    steps: walk(tx, { ...input, from }).steps,
    ...top,
    following,
    above: end.row ? [end.row, ...end.above] : end.above,
    documentId: end.place.documentId,
  }
}

function topOf(
  root: string | undefined,
  line: OutlineRow[] | undefined,
): Pick<TreeStart, 'top' | 'topDepth'> {
  if (root === undefined || !line) return { topDepth: 0 }
  return { top: line[0] ?? notFound(root), topDepth: line.length - 1 }
}

async function followingOf(tx: ReadTx, root: string | undefined): Promise<string | undefined> {
  if (root === undefined) return undefined
  return (await tx.outline([{ id: root }], { fields: 'outline', limit: 1 }))[0]?.following
}

/** A node and its ancestors, up to the root. */
export function lineage(tx: ReadTx, id: string): Promise<OutlineRow[]> {
  return tx.walk({ ids: [id] }, { direction: 'up', fields: 'outline' })
}

interface Place extends OutlinePlace {
  parentKey: number | null
}

/** Of places from the inside out, those below `top`; all if there is none. */
function belowTop(places: Place[], top: OutlineRow | undefined): Place[] {
  if (!top) return places
  const at = places.findIndex(({ key }) => key === top.key)
  if (at < 0) throw notACursor()
  return places.slice(0, at)
}

interface End {
  place: Place
  /** The node itself, if it still exists. */
  row?: OutlineRow
  above: OutlineRow[]
}

/** The end of a page. A node that was removed since is located by its former place, and so are its ancestors. */
async function findEnd(tx: ReadTx, id: string): Promise<End> {
  if (typeof id !== 'string') throw notACursor()
  const [row, ...above] = await lineage(tx, id)
  if (row) return { place: row, row, above }
  const [version] = await tx.versions({ nodeId: id }, { limit: 1 })
  const past = version?.old
  if (!version || !past) throw notACursor()
  const line = past.parentId === null ? [] : await lineage(tx, past.parentId)
  const [parent] = line
  if (!parent && past.parentId !== null) return findEnd(tx, past.parentId)
  const [removed] = await tx.nodes({ keys: [version.nodeKey], removed: true }, 'full')
  if (!removed) throw notACursor()
  const { key, documentId } = removed
  const place = { key, documentId, position: past.position, parentKey: parent?.key ?? null }
  return { place, above: line }
}
