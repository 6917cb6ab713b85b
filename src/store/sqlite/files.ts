import type { FileFacts } from '../../core/port/file-facts.ts'
import type { WriteSet } from '../../core/port/write-set.ts'
import { type Context, digestBlob, listParameter } from './context.ts'
import { inScope } from './rows.ts'
import { statement, statementsByText } from './statements.ts'

interface SqlFile {
  path: string
  size: number
  modified_at: number
  changed_at: number
  inode: string
  scanned_at: number
  digest: Buffer
  parser: string
  line: number | null
  reason: string | null
}

export function fileReads({ db, spaceId }: Context) {
  const ask = statementsByText(db)
  return {
    listFileFacts(root: string, scope = ''): FileFacts[] {
      const within = scope === '' ? '' : `AND ${inScope('path')}`
      const rows = ask<SqlFile>(
        `SELECT path, size, modified_at, changed_at, inode, scanned_at, digest, parser, line, reason
         FROM files WHERE space_id = @space AND root = @root ${within} ORDER BY path`,
        { space: spaceId, root, scope },
      )
      return rows.map(toFacts)
    },
  }
}

export function fileWrites({ db, spaceId }: Context) {
  const put = statement<[number, string, ...ReturnType<typeof fromFacts>]>(
    db,
    `INSERT OR REPLACE INTO files
       (space_id, root, path, size, modified_at, changed_at, inode, scanned_at, digest, parser, line, reason)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const remove = statement<[number, string, string]>(
    db,
    'DELETE FROM files WHERE space_id = ? AND root = ? AND path IN (SELECT value FROM json_each(?))',
  )
  return (facts: NonNullable<WriteSet['fileFacts']>): void => {
    for (const one of facts.put) put().run(spaceId, facts.root, ...fromFacts(one))
    if (facts.remove.length > 0) remove().run(spaceId, facts.root, listParameter(facts.remove))
  }
}

function toFacts(row: SqlFile): FileFacts {
  return {
    path: row.path,
    sizeBytes: row.size,
    modifiedAt: row.modified_at,
    changedAt: row.changed_at,
    inode: row.inode,
    scannedAt: row.scanned_at,
    digest: row.digest.toString('hex'),
    parser: row.parser,
    failure: row.reason === null ? null : { line: row.line, reason: row.reason },
  }
}

function fromFacts({ failure, ...facts }: FileFacts) {
  return [
    facts.path,
    facts.sizeBytes,
    facts.modifiedAt,
    facts.changedAt,
    facts.inode,
    facts.scannedAt,
    digestBlob(facts.digest),
    facts.parser,
    failure?.line ?? null,
    failure?.reason ?? null,
  ] as const
}
