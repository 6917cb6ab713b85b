import { plural } from '../../util/terminal-units.ts'
import { type Check, countOf, fail, pass, RESTORE } from './check.ts'
import type { Context } from './context.ts'
import { COUNT_AGAIN, DOOR_COUNTS, TAG_COUNTS } from './door-counts.ts'

/** What the attributes say of tags; those of removed documents say nothing. */
const TAGS = `SELECT j.value AS tag, d.id AS document_id, tag_word(j.value) AS word FROM documents d, json_each(d.attributes, '$.tags') j
  WHERE d.state <> 'removed' AND json_valid(d.attributes)`
const STORED = 'SELECT tag, document_id, word FROM document_tags'
const WRONG_TAGS = differing(TAGS, STORED)
const HAS_WRONG_ACCESSES = `typeof(accesses) <> 'integer' OR accesses < 0 OR typeof(accessed_at) NOT IN ('integer', 'null')
  OR (accesses > 0) <> (accessed_at IS NOT NULL) OR (accesses > 0 AND state <> 'live')`
const WRONG_ACCESSES = `SELECT 1 FROM documents WHERE ${HAS_WRONG_ACCESSES}`
const WRONG_COUNTS = `${differing(DOOR_COUNTS, 'SELECT * FROM door_counts')}
  UNION ALL SELECT 1 FROM (${differing(TAG_COUNTS, 'SELECT * FROM tag_counts')})`
const NO_JSON = `SELECT 1 FROM documents WHERE attributes IS NOT NULL AND NOT json_valid(attributes)
  UNION ALL SELECT 1 FROM document_versions WHERE attributes IS NOT NULL AND NOT json_valid(attributes)`
/** A piece stands behind another piece or a whole text of the same document. */
const LOST_BEGINNING = `SELECT 1 FROM document_versions v WHERE v.lead IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM document_versions b WHERE b.document_id = v.document_id AND b.snapshot_id < v.snapshot_id AND b.state = 'live')
  UNION ALL SELECT 1 FROM documents d WHERE d.appended = 1 AND NOT EXISTS (
    SELECT 1 FROM document_versions b WHERE b.document_id = d.id AND b.lead IS NULL AND b.state = 'live')`

/** Rows that only one of two has. */
function differing(one: string, other: string): string {
  return `SELECT 1 FROM (SELECT * FROM (${one}) EXCEPT ${other}) UNION ALL SELECT 1 FROM (${other} EXCEPT SELECT * FROM (${one}))`
}

/** What doors keep of documents besides their texts. */
export function documentsCheck({ db }: Context): Check {
  const count = (rows: string): number => countOf(db, `SELECT count(*) AS count FROM (${rows})`)
  return {
    name: 'documents',
    run() {
      const unreadable = count(NO_JSON)
      if (unreadable > 0)
        return fail(`the attributes of ${plural(unreadable, 'document')} cannot be read; ${RESTORE}`)
      const lost = count(LOST_BEGINNING)
      if (lost > 0) return fail(`${plural(lost, 'text has', 'texts have')} lost their beginning; ${RESTORE}`)
      const wrong = count(WRONG_TAGS) + count(WRONG_ACCESSES) + count(WRONG_COUNTS)
      return wrong === 0
        ? pass('tags, accesses and counts agree with the documents')
        : fail(`${wrong} tags, accesses or counts do not agree with the documents`)
    },
    heal() {
      if (count(NO_JSON) > 0) return
      db.exec(`DELETE FROM document_tags; INSERT OR IGNORE INTO document_tags (tag, document_id, word) ${TAGS};
        UPDATE documents SET accesses = 0, accessed_at = NULL WHERE ${HAS_WRONG_ACCESSES};
        ${COUNT_AGAIN}`)
    },
  }
}
