import type { TextReferences } from '../../../core/port/write-set.ts'
import { type Context, listParameter } from '../database/context.ts'
import { digestBlob, hexOf } from '../database/rows.ts'
import { statement } from '../database/statements.ts'

/** Texts are stored once for an owner and counted: versions and documents each hold a reference. */
export function textQueries({ db, ownerId }: Context) {
  // Without RETURNING, which would have the search index write out its words: see `node-index.ts`.
  const add = statement<[number, Buffer, number, string]>(
    db,
    'INSERT INTO texts (owner_id, digest, refs, body) VALUES (?, ?, ?, ?) ON CONFLICT (owner_id, digest) DO NOTHING',
  )
  const find = statement<[number, Buffer], { id: number }>(
    db,
    'SELECT id FROM texts WHERE owner_id = ? AND digest = ?',
  )
  const change = statement<[number, number]>(db, 'UPDATE texts SET refs = refs + ? WHERE id = ?')
  const sweep = statement<[number]>(db, 'DELETE FROM texts WHERE id = ? AND refs <= 0')
  // CROSS: otherwise the planner reads every text of the owner and looks for each in the list.
  const byDigest = statement<[string, number], { digest: string; body: string }>(
    db,
    `SELECT ${hexOf('t.digest')} AS digest, t.body FROM json_each(?) j
     CROSS JOIN texts t ON t.owner_id = ? AND t.digest = unhex(j.value)`,
  )

  function findId(digest: string): number {
    const row = find().get(ownerId, digestBlob(digest))
    if (!row) throw new Error('a text was referred to by a digest that is not stored')
    return row.id
  }

  return {
    /** Adds references and takes them away; gives the id of a text by its digest. */
    refer(references: readonly TextReferences[]): (digest: string) => number {
      const known = new Map<string, number>()
      const idOf = (digest: string): number => known.get(digest) ?? findId(digest)
      for (const { digest, text, by } of references) {
        // A short document is one node that says the same: then the text was just added.
        const isGiven = text !== null && by > 0 && !known.has(digest)
        const added = isGiven ? add().run(ownerId, digestBlob(digest), by, text) : undefined
        const id = added?.changes === 1 ? Number(added.lastInsertRowid) : idOf(digest)
        known.set(digest, id)
        if (added?.changes !== 1) change().run(by, id)
        if (by <= 0 && sweep().run(id).changes === 1) known.delete(digest)
      }
      return idOf
    },

    texts(digests: string[]): Map<string, string> {
      const rows = byDigest().all(listParameter([...new Set(digests)]), ownerId)
      return new Map(rows.map((row) => [row.digest, row.body]))
    },
  }
}
