import type { DocumentEnd } from '../../core/port/doors.ts'
import type { Context } from './context.ts'
import { statement } from './statements.ts'

interface SqlLast {
  key: number
  id: string
  type: string
  position: string
}

export const doorReads = (context: Context) => ({ documentEnd: documentEnd(context) })

/** Each step looks at the last of some siblings: its cost does not depend on how long a document is. */
function documentEnd({ db }: Context): (documentId: number) => DocumentEnd {
  const lastRoot = statement<[number], SqlLast>(
    db,
    `SELECT key, id, type, position FROM nodes WHERE document_id = ? AND parent_key IS NULL AND removed_in IS NULL
     ORDER BY position DESC LIMIT 1`,
  )
  const lastChild = statement<[number], { position: string }>(
    db,
    'SELECT position FROM nodes WHERE parent_key = ? AND removed_in IS NULL ORDER BY position DESC LIMIT 1',
  )
  // Others may have put notes of their own there.
  const lastOwn = statement<[number, number], SqlLast>(
    db,
    `SELECT key, id, type, position FROM nodes WHERE parent_key = ? AND document_id = ? AND removed_in IS NULL
     ORDER BY position DESC LIMIT 1`,
  )
  return (documentId) => {
    const end: DocumentEnd = { headings: [], last: [] }
    let node = lastRoot().get(documentId)
    end.last.push(node?.position ?? null)
    while (node?.type === 'heading') {
      end.headings.push({ key: node.key, id: node.id })
      end.last.push(lastChild().get(node.key)?.position ?? null)
      node = lastOwn().get(node.key, documentId)
    }
    return end
  }
}
