import type { NodeChange } from '../../core/store.ts'
import type { Context } from './context.ts'
import { statement } from './statements.ts'
import type { Tally } from './tally.ts'
import type { TextQueries } from './texts.ts'

/** Heat of a node nobody has read yet. */
const INITIAL_HEAT = 0.5

interface StoredNode {
  type: string
  tokens: number
  mark: Buffer | null
  removed_in: number | null
}
interface IndexRow {
  label: string
  body: string
}
type Put = Exclude<NodeChange, { op: 'rem' }>
type PutParameters = [
  number,
  string,
  number,
  number | null,
  string,
  string,
  string,
  number,
  number,
  Buffer,
  string,
]

/** Nodes, their versions, heat and search index change together, here and nowhere else. */
export function changeQueries({ db }: Context, texts: TextQueries, tally: Tally) {
  const stored = statement<[number], StoredNode>(
    db,
    'SELECT type, tokens, mark, removed_in FROM nodes WHERE key = ?',
  )
  const put = statement<PutParameters>(
    db,
    `INSERT INTO nodes (key, id, document_id, parent_key, position, type, format, tokens, text_id, mark, label)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET parent_key = excluded.parent_key, position = excluded.position,
       type = excluded.type, format = excluded.format, tokens = excluded.tokens, text_id = excluded.text_id,
       mark = excluded.mark, label = excluded.label, removed_in = NULL`,
  )
  const remove = statement<[number, number]>(
    db,
    `UPDATE nodes SET removed_in = ?, parent_key = NULL, position = '', tokens = 0, text_id = NULL, mark = NULL,
       label = '' WHERE key = ?`,
  )
  const version = statement<
    [
      number,
      number,
      string,
      number | null,
      string | null,
      string | null,
      string | null,
      string | null,
      number | null,
    ]
  >(
    db,
    `INSERT INTO versions (node_key, snapshot_id, op, parent_key, position, type, format, label, text_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const indexed = statement<[number], IndexRow>(db, 'SELECT label, body FROM node_index_rows WHERE key = ?')
  const addToIndex = statement<[number, string, string]>(
    db,
    'INSERT INTO node_index (rowid, label, body) VALUES (?, ?, ?)',
  )
  const takeFromIndex = statement<[number, string, string]>(
    db,
    `INSERT INTO node_index (node_index, rowid, label, body) VALUES ('delete', ?, ?, ?)`,
  )
  /** A node that comes back keeps the heat and the pin it had. */
  const warm = statement<[{ key: number; value: number }]>(
    db,
    `INSERT INTO heat (node_key, value, clock, coldness)
     SELECT @key, @value, heat_clock, ln(@value) + heat_clock FROM spaces WHERE true
     ON CONFLICT (node_key) DO UPDATE SET
       coldness = CASE WHEN pinned = 0 AND value > 0 THEN ln(value) + clock END`,
  )
  const cool = statement<[number]>(db, 'UPDATE heat SET coldness = NULL WHERE node_key = ?')

  function reindex(key: number, before: IndexRow | undefined): void {
    const after = indexed().get(key)
    if (before && after && before.label === after.label && before.body === after.body) return
    if (before) takeFromIndex().run(key, before.label, before.body)
    if (after) addToIndex().run(key, after.label, after.body)
  }

  function putNode(snapshotId: number, change: Put): void {
    const { key, state } = change
    const before = stored().get(key)
    const wasLive = before !== undefined && before.removed_in === null
    const indexBefore = wasLive ? indexed().get(key) : undefined
    const textId = texts.addText(state.digest, change.text)
    const mark = markBlob(change.mark)
    put().run(
      key,
      change.id,
      change.documentId,
      state.parentKey,
      state.position,
      state.type,
      state.format,
      change.tokens,
      textId,
      mark,
      change.label,
    )
    version().run(
      key,
      snapshotId,
      change.op,
      state.parentKey,
      state.position,
      state.type,
      state.format,
      state.label,
      textId,
    )
    reindex(key, indexBefore)
    if (wasLive) tally.subtract(before)
    else warm().run({ key, value: INITIAL_HEAT })
    tally.add({ type: state.type, tokens: change.tokens, mark })
  }

  function removeNode(snapshotId: number, key: number): void {
    const before = stored().get(key)
    if (!before || before.removed_in !== null) throw new Error('a node was removed that is not there')
    const indexBefore = indexed().get(key)
    remove().run(snapshotId, key)
    version().run(key, snapshotId, 'rem', null, null, null, null, null, null)
    reindex(key, indexBefore)
    cool().run(key)
    tally.subtract(before)
  }

  return {
    applyChanges(snapshotId: number, changes: NodeChange[]): void {
      for (const change of changes) {
        if (change.op === 'rem') removeNode(snapshotId, change.key)
        else putNode(snapshotId, change)
      }
    },
  }
}

function markBlob(mark: bigint): Buffer {
  const blob = Buffer.alloc(8)
  blob.writeBigUInt64BE(mark)
  return blob
}
