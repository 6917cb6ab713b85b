import type { Database } from 'better-sqlite3'
import { type Columns, selected } from '../database/rows.ts'
import { insertion, statement } from '../database/statements.ts'

/** A table by the names of the model. What is asked for is the equality of some columns. `key`: the columns that are unique. */
export function rowsOf<Row extends object>(
  db: Database,
  table: string,
  columns: Columns,
  key: readonly (keyof Row & string)[] = ['id' as keyof Row & string],
) {
  const find = statementsFor<Row>(
    db,
    columns,
    (where) => `SELECT ${selected(table, columns)} FROM ${table} WHERE ${where || 'TRUE'} ORDER BY number`,
  )
  const remove = statementsFor<Row>(db, columns, (where) => `DELETE FROM ${table} WHERE ${where || 'FALSE'}`)
  const target = key.map((name) => columns[name] as string)
  const changes = Object.values(columns)
    .filter((column) => !target.includes(column))
    .map((column) => `${column} = excluded.${column}`)
  const put = insertion(
    db,
    `INSERT INTO ${table}`,
    columns,
    `ON CONFLICT (${target}) DO UPDATE SET ${changes}`,
  )
  return {
    get: (by: object): Row | undefined => find(by).get(...Object.values(by)),
    all: (of: object): Row[] => find(of).all(...Object.values(of)),
    put: (row: object): void => put(row),
    remove: (of: object): void => void remove(of).run(...Object.values(of)),
  }
}

/** One statement for each set of columns that is asked by. */
function statementsFor<Row>(db: Database, columns: Columns, sqlOf: (where: string) => string) {
  const known = new Map<string, ReturnType<typeof statement<unknown[], Row>>>()
  return (by: object) => {
    const where = Object.keys(by)
      .map((name) => `${columns[name]} = ?`)
      .join(' AND ')
    const prepared = known.get(where) ?? statement<unknown[], Row>(db, sqlOf(where))
    known.set(where, prepared)
    return prepared()
  }
}

/** Converts a row that was found. */
export function given<R, T>(row: R | undefined, convert: (row: R) => T): T | undefined {
  return row === undefined ? undefined : convert(row)
}
