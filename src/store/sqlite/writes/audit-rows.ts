import type { AuditWrite } from '../../../core/port/audit.ts'
import type { Context } from '../database/context.ts'
import { columnsOf, digestBlob, TABLES } from '../database/rows.ts'
import { insertion, statement, update } from '../database/statements.ts'

const SPACE = columnsOf('spaceId')

/** The chain of the audit. */
export function auditWrites({ db, spaceId }: Pick<Context, 'db' | 'spaceId'>) {
  const add = insertion(db, 'INSERT INTO audit', { ...SPACE, ...TABLES.audit })
  const putHead = update(db, 'spaces', TABLES.auditHead, columnsOf('id'))
  const remove = statement<[number, number]>(db, 'DELETE FROM audit WHERE space_id = ? AND number <= ?')

  return ({ head, add: entries = [], removeUpTo }: AuditWrite): void => {
    if (removeUpTo !== undefined) remove().run(spaceId, removeUpTo)
    for (const entry of entries) add({ ...entry, spaceId, hash: digestBlob(entry.hash) })
    const { hash, removedHash } = head
    putHead({ ...head, id: spaceId, hash: digestBlob(hash), removedHash: digestBlob(removedHash) })
  }
}
