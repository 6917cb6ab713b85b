import { plural } from '../../util/terminal-units.ts'
import { type Check, countOf, fail, pass } from './check.ts'
import type { Context } from './context.ts'

/**
 * Rows that nobody wrote so, and rows of erased documents, whose digest must be gone. A row that merely tells nothing
 * of its document is no fault: the file is then read again.
 */
const UNSOUND = `root = '' OR path = '' OR path LIKE '/%' OR '/' || path || '/' LIKE '%/../%'
  OR typeof(size) <> 'integer' OR typeof(modified_at) <> 'integer' OR typeof(changed_at) <> 'integer'
  OR typeof(scanned_at) <> 'integer' OR size < 0 OR length(digest) <> 16 OR typeof(digest) <> 'blob'
  OR reason = '' OR (line IS NOT NULL AND reason IS NULL)
  OR EXISTS (SELECT 1 FROM owners o CROSS JOIN documents d ON d.owner_id = o.id WHERE o.space_id = files.space_id
    AND d.space_id = files.space_id AND d.kind = 'source' AND d.collection = files.root AND d.name = files.path
    AND d.state = 'erased')`

export function filesCheck({ db }: Context): Check {
  return {
    name: 'files',
    run() {
      const count = countOf(db, `SELECT count(*) AS count FROM files WHERE ${UNSOUND}`)
      return count === 0
        ? pass('what is known of files is sound')
        : fail(`${plural(count, 'file is', 'files are')} known wrongly`)
    },
    /** What is not known of a file is learnt by the next compile. */
    heal: () => void db.prepare(`DELETE FROM files WHERE ${UNSOUND}`).run(),
  }
}
