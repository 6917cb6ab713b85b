import type { Context } from './context.ts'
import { statement } from './statements.ts'

/** Adds to the counters of a memory. */
export function counterWrites({ db, spaceId }: Pick<Context, 'db' | 'spaceId'>) {
  const add = statement<[number, string, number]>(
    db,
    `INSERT INTO counters (space_id, name, value) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET value = value + excluded.value`,
  )
  return (counters: ReadonlyMap<string, number>): void => {
    for (const [name, by] of counters) if (by !== 0) add().run(spaceId, name, by)
  }
}
