import type { WriteSet } from '../../../core/port/write-set.ts'
import { COUNTED_ATTRIBUTES } from '../../../core/rows/door-counts.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/statements.ts'

type CountRow = Record<string, string | number | bigint>

/** Counts that are kept with every change: see `core/rows/door-counts.ts` and `user-counts.ts`. */
export function doorCountWrites({ db, ownerId }: Context) {
  const addDocuments = adding('door_counts', ['kind', 'state', ...COUNTED_ATTRIBUTES], ['count', 'bytes'])
  const addTags = adding('tag_counts', ['kind', 'tag'], ['count'])
  const addUsers = adding('user_counts', ['user_id'], ['count', 'bytes'])

  /** Rows whose count reaches zero are removed. */
  function adding(table: string, names: readonly string[], sums: readonly string[]) {
    const key = ['owner_id', ...names]
    const all = [...key, ...sums]
    const add = statement<[CountRow]>(
      db,
      `INSERT INTO ${table} (${all}) VALUES (${all.map((name) => `@${name}`)})
       ON CONFLICT DO UPDATE SET ${sums.map((name) => `${name} = ${name} + excluded.${name}`)}`,
    )
    const dropEmpty = statement<[CountRow]>(
      db,
      `DELETE FROM ${table} WHERE ${key.map((name) => `${name} = @${name}`).join(' AND ')} AND count = 0`,
    )
    return (row: Record<string, string | number>): void => {
      const values = integers({ owner_id: ownerId, ...row })
      add().run(values)
      if (Number(row.count) <= 0) dropEmpty().run(values)
    }
  }

  return ({ doorCounts = [], tagCounts = [], userCounts = [] }: WriteSet): void => {
    for (const row of doorCounts) addDocuments({ ...row })
    for (const row of tagCounts) addTags({ ...row })
    for (const { userId, count, bytes } of userCounts) addUsers({ user_id: userId, count, bytes })
  }
}

/** The driver binds numbers as REAL, and these columns keep what they are given. */
function integers(row: Record<string, string | number>): CountRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Number.isInteger(value) ? BigInt(value) : value]),
  )
}
