import { type Check, countOf, fail, pass, RESTORE } from './check.ts'
import type { Context } from './context.ts'

/** What the attributes say of tags; those of removed documents say nothing. */
const TAGS = `SELECT j.value AS tag, d.id AS document_id, tag_word(j.value) AS word FROM documents d, json_each(d.attributes, '$.tags') j
  WHERE d.state <> 'removed' AND json_valid(d.attributes)`
const STORED = 'SELECT tag, document_id, word FROM document_tags'
const WRONG_TAGS = `SELECT * FROM (SELECT * FROM (${TAGS}) EXCEPT ${STORED})
  UNION SELECT * FROM (${STORED} EXCEPT SELECT * FROM (${TAGS}))`
const WRONG_ACCESSES = `SELECT 1 FROM document_accesses a WHERE typeof(a.count) <> 'integer' OR a.count < 1
  OR typeof(a.accessed_at) <> 'integer' OR NOT EXISTS (SELECT 1 FROM documents d WHERE d.id = a.document_id AND d.state = 'live')`
const NO_JSON = `SELECT 1 FROM documents WHERE attributes IS NOT NULL AND NOT json_valid(attributes)
  UNION ALL SELECT 1 FROM document_versions WHERE attributes IS NOT NULL AND NOT json_valid(attributes)`
/** A piece stands behind another piece or a whole text of the same document. */
const LOST_BEGINNING = `SELECT 1 FROM document_versions v WHERE v.lead IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM document_versions b WHERE b.document_id = v.document_id AND b.snapshot_id < v.snapshot_id AND b.state = 'live')
  UNION ALL SELECT 1 FROM documents d WHERE d.appended = 1 AND NOT EXISTS (
    SELECT 1 FROM document_versions b WHERE b.document_id = d.id AND b.lead IS NULL AND b.state = 'live')`

/** What doors keep of documents besides their texts. */
export function documentsCheck({ db }: Context): Check {
  const count = (rows: string): number => countOf(db, `SELECT count(*) AS count FROM (${rows})`)
  return {
    name: 'documents',
    run() {
      const unreadable = count(NO_JSON)
      if (unreadable > 0) return fail(`the attributes of ${unreadable} documents cannot be read; ${RESTORE}`)
      const lost = count(LOST_BEGINNING)
      if (lost > 0) return fail(`${lost} texts have lost their beginning; ${RESTORE}`)
      const wrong = count(WRONG_TAGS) + count(WRONG_ACCESSES)
      return wrong === 0
        ? pass('tags and accesses agree with the documents')
        : fail(`${wrong} tags or accesses do not agree with the documents`)
    },
    heal() {
      if (count(NO_JSON) > 0) return
      db.exec(`DELETE FROM document_tags; INSERT OR IGNORE INTO document_tags (tag, document_id, word) ${TAGS};
        DELETE FROM document_accesses WHERE typeof(count) <> 'integer' OR count < 1 OR typeof(accessed_at) <> 'integer'
          OR document_id NOT IN (SELECT id FROM documents WHERE state = 'live')`)
    },
  }
}
