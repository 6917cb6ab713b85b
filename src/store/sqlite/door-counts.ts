import type { WriteSet } from '../../core/port/write-set.ts'
import { COUNTED_ATTRIBUTES } from '../../core/write/door-counts.ts'
import type { Context } from './context.ts'
import { statement } from './statements.ts'

const NAMES = `kind, state, ${COUNTED_ATTRIBUTES.join(', ')}`

type CountRow = Record<string, string | number | bigint>

/** Counts that are kept with every change: see `core/write/door-counts.ts`. */
export function doorCountWrites({ db, ownerId: owner }: Context) {
  const add = statement<[CountRow]>(
    db,
    `INSERT INTO door_counts (owner_id, ${NAMES}, count, bytes)
     VALUES (@owner, @kind, @state, @archived, @type, @importance, @status, @count, @bytes)
     ON CONFLICT DO UPDATE SET count = count + excluded.count, bytes = bytes + excluded.bytes`,
  )
  const dropEmpty = statement<[CountRow]>(
    db,
    `DELETE FROM door_counts WHERE owner_id = @owner AND kind = @kind AND state = @state AND archived = @archived AND type = @type
       AND importance = @importance AND status = @status AND count = 0`,
  )
  const addTag = statement<[CountRow]>(
    db,
    `INSERT INTO tag_counts (owner_id, kind, tag, count) VALUES (@owner, @kind, @tag, @count)
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  )
  const dropEmptyTag = statement<[CountRow]>(
    db,
    'DELETE FROM tag_counts WHERE owner_id = @owner AND kind = @kind AND tag = @tag AND count = 0',
  )
  return {
    addCounts({ doorCounts = [], tagCounts = [] }: Pick<WriteSet, 'doorCounts' | 'tagCounts'>): void {
      for (const row of doorCounts) {
        const values = { owner, ...integers({ ...row }) }
        add().run(values)
        if (row.count <= 0) dropEmpty().run(values)
      }
      for (const row of tagCounts) {
        addTag().run({ owner, ...row })
        if (row.count <= 0) dropEmptyTag().run({ owner, ...row })
      }
    },
  }
}

/** The driver binds numbers as REAL, and these columns keep what they are given. */
function integers(row: Record<string, string | number>): CountRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Number.isInteger(value) ? BigInt(value) : value]),
  )
}
