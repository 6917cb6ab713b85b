import { placeOf } from '../../../core/address.ts'
import type { FileTree } from '../../../core/port/documents.ts'
import { createFileEntries } from '../../file-entries.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/statements.ts'

/** What is right below a path. Steps from name to name: what is below a folder is passed over in one. */
export function fileEntryReads({ db, spaceId, ownerId }: Context) {
  const next = statement<[Record<string, string | number>], { name: string; folder: number | null }>(
    db,
    `SELECT d.name, d.attributes ->> '$.folder' AS folder FROM documents d
     WHERE d.space_id = @space AND d.owner_id = @owner AND d.kind = 'file' AND d.collection = @collection
       AND d.name >= @from AND d.name < @end AND d.state = 'live' ORDER BY d.name LIMIT 1`,
  )
  return {
    fileEntries(memory: FileTree, path: string, limit: number): { name: string; isFolder: boolean }[] {
      const { collection } = placeOf({ kind: 'file', ...memory, path })
      const scope = { space: spaceId, owner: ownerId, collection, end: `${path}0` }
      const entries = createFileEntries(path)
      for (let from = `${path}/`; entries.count() < limit; ) {
        const row = next().get({ ...scope, from })
        if (!row) break
        const { name, isDeeper } = entries.add(row.name, row.folder === 1)
        // `0` comes right after `/`, and a NUL before everything else that a name can have.
        from = isDeeper ? `${path}/${name}0` : `${row.name}\0`
      }
      return entries.list()
    },
  }
}
