import { notACursor } from '../../errors.ts'
import type { OutlinePlace, OutlineRow, OutlineStart } from '../../port/nodes.ts'
import type { ReadTx } from '../../port/store.ts'
import { checkNodeId, notFound } from '../../write/operation.ts'
import { type Step, type WalkInput, walk } from './walk.ts'

export interface TreeStart {
  /** From here on, down to `depth`. */
  steps: AsyncIterable<Step>
  topDepth: number
  /** The node that was asked for. */
  top?: OutlineRow
  /** The id of what follows it, where it is at the top of its document. */
  following: string | undefined
  /** What the first node may stand below. */
  above: OutlineRow[]
  /** The one that the page before ended in. */
  documentId?: number
}

export interface TreeStartInput extends Omit<WalkInput, 'from'> {
  root: string | undefined
  after: string | undefined
}

/** Where a page begins: at the top, or after the node that the page before it ended with. */
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

/** A node and all above it, from there to the root. */
export function lineage(tx: ReadTx, id: string): Promise<OutlineRow[]> {
  return tx.walk({ ids: [id] }, { direction: 'up', fields: 'outline' })
}

interface Place extends OutlinePlace {
  parentKey: number | null
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
