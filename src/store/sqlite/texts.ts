import { type Context, digestBlob, listParameter } from './context.ts'
import { statement } from './statements.ts'

/** Texts are stored once for an owner and counted: versions and documents each hold a reference. */
export function textQueries({ db, ownerId }: Context) {
  const add = statement<[number, Buffer, string], { id: number }>(
    db,
    `INSERT INTO texts (owner_id, digest, refs, body) VALUES (?, ?, 1, ?)
     ON CONFLICT (owner_id, digest) DO UPDATE SET refs = refs + 1 RETURNING id`,
  )
  const retain = statement<[number, Buffer], { id: number }>(
    db,
    'UPDATE texts SET refs = refs + 1 WHERE owner_id = ? AND digest = ? RETURNING id',
  )
  const retainById = statement<[number]>(db, 'UPDATE texts SET refs = refs + 1 WHERE id = ?')
  const drop = statement<[number]>(db, 'UPDATE texts SET refs = refs - 1 WHERE id = ?')
  const sweep = statement<[number]>(db, 'DELETE FROM texts WHERE id = ? AND refs <= 0')
  // CROSS: otherwise the planner reads every text of the owner and looks for each in the list.
  const byDigest = statement<[string, number], { digest: string; body: string }>(
    db,
    `SELECT lower(hex(t.digest)) AS digest, t.body FROM json_each(?) j
     CROSS JOIN texts t ON t.owner_id = ? AND t.digest = unhex(j.value)`,
  )
  const byId = statement<[number], { body: string }>(db, 'SELECT body FROM texts WHERE id = ?')

  return {
    /** A new reference to a text; `body` is null when the text is known to be stored. */
    addText(digest: string, body: string | null): number {
      const blob = digestBlob(digest)
      const row = body === null ? retain().get(ownerId, blob) : add().get(ownerId, blob, body)
      if (!row) throw new Error('a text was referred to by a digest that is not stored')
      return row.id
    },

    /** One more reference to a text that is there. */
    retainText(id: number | null): void {
      if (id !== null) retainById().run(id)
    },

    dropText(id: number | null): void {
      if (id === null) return
      drop().run(id)
      sweep().run(id)
    },

    textById(id: number | null): string | null {
      return id === null ? null : (byId().get(id)?.body ?? null)
    },

    texts(digests: string[]): Map<string, string> {
      const rows = byDigest().all(listParameter([...new Set(digests)]), ownerId)
      return new Map(rows.map((row) => [row.digest, row.body]))
    },
  }
}

export type TextQueries = ReturnType<typeof textQueries>
