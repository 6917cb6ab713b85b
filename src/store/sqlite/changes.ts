import type { NodeChange } from '../../core/port/store.ts'
import { arrivalQueries, nameOf } from './arrivals.ts'
import type { Context } from './context.ts'
import { COLDNESS } from './heat.ts'
import type { LinkWriter } from './link-writes.ts'
import { markBlob } from './marks.ts'
import { indexWrites } from './node-index.ts'
import { statement } from './statements.ts'
import type { Tally } from './tally.ts'
import type { TextQueries } from './texts.ts'

interface StoredNode {
  type: string
  tokens: number
  mark: Buffer | null
  id: string
  document_id: number
  parent_key: number | null
  position: string
  name: string | null
  links: string | null
  removed_in: number | null
}
type Put = Exclude<NodeChange, { op: 'rem' }>
type Nullable = string | null

/** Nodes, their versions, heat and search index change together, here (and for new nodes in `arrivals.ts`) only. */
export function changeQueries(context: Context, texts: TextQueries, tally: Tally, links: LinkWriter) {
  const { db } = context
  const index = indexWrites(context)
  const arrivals = arrivalQueries(context, { texts, tally, links, index })
  const stored = statement<[number], StoredNode>(
    db,
    'SELECT type, tokens, mark, id, document_id, parent_key, position, name, links, removed_in FROM nodes WHERE key = ?',
  )
  const put = statement<[string, string, number, number, Buffer, string, Nullable, Nullable, number]>(
    db,
    `UPDATE nodes SET type = ?, format = ?, tokens = ?, text_id = ?, mark = ?, label = ?, name = ?, links = ?,
       removed_in = NULL WHERE key = ?`,
  )
  /** Apart from the rest: most nodes stay where they are, and a place is in two indexes. */
  const place = statement<[number | null, string, number]>(
    db,
    'UPDATE nodes SET parent_key = ?, position = ? WHERE key = ?',
  )
  const remove = statement<[number, number]>(
    db,
    `UPDATE nodes SET removed_in = ?, parent_key = NULL, position = '', tokens = 0, text_id = NULL, mark = NULL,
       label = '', name = NULL, links = NULL WHERE key = ?`,
  )
  const version = statement<
    [number, number, string, number | null, Nullable, Nullable, Nullable, Nullable, number | null, Nullable]
  >(
    db,
    `INSERT INTO versions (node_key, snapshot_id, op, parent_key, position, type, format, label, text_id, links)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  /** A node that comes back keeps the heat and the pin it had. */
  const rewarm = statement<[number]>(
    db,
    `UPDATE heat SET coldness = CASE WHEN pinned = 0 THEN ${COLDNESS} END WHERE node_key = ?`,
  )
  const cool = statement<[number]>(db, 'UPDATE heat SET coldness = NULL WHERE node_key = ?')

  /** Changes a node that is there, or brings a removed one back. */
  function putNode(snapshotId: number, change: Put): void {
    const { key, op, state, tokens, label } = change
    const before = stored().get(key)
    if (!before) throw new Error('a node was changed that was never there')
    const isLive = before.removed_in === null
    const indexBefore = isLive ? index.rowOf(key) : undefined
    const textId = texts.addText(state.digest, change.text)
    const mark = markBlob(change.mark)
    const { parentKey, position, type, format, links: asked } = state
    const name = nameOf(type, label)
    put().run(type, format, tokens, textId, mark, label, name, asked, key)
    if (before.parent_key !== parentKey || before.position !== position) place().run(parentKey, position, key)
    version().run(key, snapshotId, op, parentKey, position, type, format, state.label, textId, asked)
    index.note(key, indexBefore, change.words ?? index.rowOf(key))
    const documentId = before.document_id
    const after = { key, id: before.id, name, links: asked, documentId, parentKey }
    if (isLive) {
      links.changed({ ...before, key, documentId, parentKey: before.parent_key }, after)
      tally.subtract(before)
    } else {
      links.returned(after)
      rewarm().run(key)
    }
    tally.add({ type, tokens, mark })
  }

  function removeNode(snapshotId: number, key: number): void {
    const before = stored().get(key)
    if (!before || before.removed_in !== null) throw new Error('a node was removed that is not there')
    const indexBefore = index.rowOf(key)
    remove().run(snapshotId, key)
    version().run(key, snapshotId, 'rem', null, null, null, null, null, null, null)
    index.note(key, indexBefore, undefined)
    cool().run(key)
    links.left({ ...before, key, documentId: before.document_id, parentKey: before.parent_key })
    tally.subtract(before)
  }

  return {
    allocateKeys: arrivals.allocateKeys,
    /** To be called when a transaction begins. */
    reset(): void {
      arrivals.reset()
      index.reset()
    },
    applyChanges(snapshotId: number, changes: NodeChange[]): void {
      const fresh: Put[] = []
      for (const change of changes) {
        if (change.op === 'rem') removeNode(snapshotId, change.key)
        else if (arrivals.isNew(change.key)) fresh.push(change)
        else putNode(snapshotId, change)
      }
      arrivals.addNodes(snapshotId, fresh)
      index.write()
    },
  }
}
