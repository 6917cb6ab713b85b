import type { TextReferences } from '../../core/port/write-set.ts'
import { type Context, listParameter } from './context.ts'
import { digestBlob, hexOf } from './rows.ts'
import { statement } from './statements.ts'

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
  const retainById = statement<[number, number]>(db, 'UPDATE texts SET refs = refs + ? WHERE id = ?')
  const drop = statement<[number, number]>(db, 'UPDATE texts SET refs = refs - ? WHERE id = ?')
  const sweep = statement<[number]>(db, 'DELETE FROM texts WHERE id = ? AND refs <= 0')
  // CROSS: otherwise the planner reads every text of the owner and looks for each in the list.
  const byDigest = statement<[string, number], { digest: string; body: string }>(
    db,
    `SELECT ${hexOf('t.digest')} AS digest, t.body FROM json_each(?) j
     CROSS JOIN texts t ON t.owner_id = ? AND t.digest = unhex(j.value)`,
  )

  /** A short document is one node that says the same: what was added last is often the next to be referred to. */
  let newest: { digest: string; id: number } | undefined

  /** New references to a text; `body` is null when the text is known to be stored. */
  function addText(digest: string, body: string | null, by = 1): number {
    if (digest === newest?.digest) {
      retainById().run(by, newest.id)
      return newest.id
    }
    const blob = digestBlob(digest)
    const added = body === null ? undefined : add().run(ownerId, blob, by, body)
    if (added?.changes === 1) {
      newest = { digest, id: Number(added.lastInsertRowid) }
      return newest.id
    }
    const id = idOf(digest)
    retainById().run(by, id)
    return id
  }
  function idOf(digest: string): number {
    const row = find().get(ownerId, digestBlob(digest))
    if (!row) throw new Error('a text was referred to by a digest that is not stored')
    return row.id
  }
  function dropText(id: number | null, by = 1): void {
    if (id === null) return
    drop().run(by, id)
    sweep().run(id)
    if (newest?.id === id) newest = undefined
  }

  return {
    /** To be called when a transaction begins: the last one may have been undone. */
    reset(): void {
      newest = undefined
    },
    /** Adds references and takes them away; gives the id of a text by its digest. */
    refer(references: readonly TextReferences[]): (digest: string) => number {
      const known = new Map<string, number>()
      for (const { digest, text, by } of references) {
        if (by > 0) known.set(digest, addText(digest, text, by))
        else dropText(idOf(digest), -by)
      }
      return (digest) => known.get(digest) ?? idOf(digest)
    },

    texts(digests: string[]): Map<string, string> {
      const rows = byDigest().all(listParameter([...new Set(digests)]), ownerId)
      return new Map(rows.map((row) => [row.digest, row.body]))
    },
  }
}

export type TextQueries = ReturnType<typeof textQueries>
