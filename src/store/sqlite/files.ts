import type { FileFacts } from '../../core/port/file-facts.ts'
import type { WriteSet } from '../../core/port/write-set.ts'
import { type Context, digestBlob, listParameter } from './context.ts'
import { inScope } from './rows.ts'
import { statement, statementsByText } from './statements.ts'

interface SqlFile extends Omit<FileFacts, 'digest' | 'failure'> {
  digest: Buffer
  line: number | null
  reason: string | null
}

export function fileReads({ db, spaceId: space }: Context) {
  const ask = statementsByText(db)
  return {
    listFileFacts(root: string, scope = ''): FileFacts[] {
      const within = scope === '' ? '' : `AND ${inScope('path')}`
      const rows = ask<SqlFile>(
        `SELECT path, size AS sizeBytes, modified_at AS modifiedAt, changed_at AS changedAt, inode, scanned_at AS scannedAt, digest,
           parser, line, reason FROM files WHERE space_id = @space AND root = @root ${within} ORDER BY path`,
        { space, root, scope },
      )
      return rows.map(({ digest, line, reason, ...facts }) => {
        return {
          ...facts,
          digest: digest.toString('hex'),
          failure: reason === null ? null : { line, reason },
        }
      })
    },
  }
}

export function fileWrites({ db, spaceId: space }: Context) {
  const put = statement<[SqlFile & { space: number; root: string }]>(
    db,
    `INSERT OR REPLACE INTO files
       (space_id, root, path, size, modified_at, changed_at, inode, scanned_at, digest, parser, line, reason)
     VALUES (@space, @root, @path, @sizeBytes, @modifiedAt, @changedAt, @inode, @scannedAt, @digest, @parser, @line, @reason)`,
  )
  const remove = statement<[number, string, string]>(
    db,
    'DELETE FROM files WHERE space_id = ? AND root = ? AND path IN (SELECT value FROM json_each(?))',
  )
  return ({ root, put: facts, remove: paths }: NonNullable<WriteSet['fileFacts']>): void => {
    for (const { digest, failure, ...file } of facts) {
      const { line, reason } = failure ?? { line: null, reason: null }
      put().run({ space, root, ...file, digest: digestBlob(digest), line, reason })
    }
    if (paths.length > 0) remove().run(space, root, listParameter(paths))
  }
}
