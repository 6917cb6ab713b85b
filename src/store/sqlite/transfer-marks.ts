import { nodeMark } from '../../core/digest.ts'
import type { NodeState } from '../../core/model.ts'
import type { Context } from './context.ts'
import { markBlob } from './marks.ts'
import { limitOf, statement } from './statements.ts'

type Unmarked = Omit<NodeState, 'parentKey' | 'digest'> & {
  key: number
  id: string
  parent_id: string | null
  digest: Buffer
  tokens: number
}

const PAGE = 1000

/** Gives a mark to each live node that has none, and hands it over to be counted. */
export function* lateMarks({ db, hash }: Context): Generator<{ type: string; tokens: number; mark: Buffer }> {
  const unmarked = statement<[number, number], Unmarked>(
    db,
    `SELECT n.key, n.id, p.id AS parent_id, n.position, n.type, n.format, n.tokens, n.links, v.label, t.digest
     FROM nodes n LEFT JOIN nodes p ON p.key = n.parent_key JOIN texts t ON t.id = n.text_id
     LEFT JOIN versions v ON v.node_key = n.key AND v.snapshot_id =
       (SELECT max(e.snapshot_id) FROM versions e WHERE e.node_key = n.key)
     WHERE n.key > ? AND n.removed_in IS NULL AND n.mark IS NULL ORDER BY n.key ${limitOf()}`,
  )
  const set = statement<[Buffer, number]>(db, 'UPDATE nodes SET mark = ? WHERE key = ?')
  for (let after = 0, isMore = true; isMore; ) {
    const page = unmarked().all(after, PAGE)
    for (const row of page) {
      const mark = markBlob(
        nodeMark(hash, row.id, row.parent_id, { ...row, digest: row.digest.toString('hex') }),
      )
      set().run(mark, row.key)
      yield { type: row.type, tokens: row.tokens, mark }
      after = row.key
    }
    isMore = page.length === PAGE
  }
}
