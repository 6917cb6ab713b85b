import type { Database } from 'better-sqlite3'
import { linkParts } from '../../../core/link-parts.ts'
import { rebuildLinks } from '../health-links.ts'

/**
 * Links lead to files too: by their name, and by the aliases of their front matter.
 *
 * `document_names` has them for every document with a path that has nodes. `file` and `section` of a link are parts of its
 * label: what of them changes decides which links are looked at again.
 *
 * What looks like a tag in code no longer is one: the search index is made again.
 */
const SCHEMA = `
CREATE TABLE document_names (
  document_id INTEGER NOT NULL REFERENCES documents (id),
  name TEXT NOT NULL,
  is_alias INTEGER NOT NULL,
  PRIMARY KEY (document_id, name)
) WITHOUT ROWID;
CREATE INDEX document_names_by_name ON document_names (name);
ALTER TABLE links ADD COLUMN file TEXT NOT NULL DEFAULT '';
ALTER TABLE links ADD COLUMN section TEXT NOT NULL DEFAULT '';
CREATE INDEX links_by_file ON links (file, section, target_key) WHERE file <> '';
CREATE INDEX links_by_section ON links (section) WHERE section <> '';
`

export function documentNames(db: Database): void {
  db.exec(SCHEMA)
  const links = db.prepare<[], { id: number; label: string; source: string }>(
    `SELECT id, label, source FROM links WHERE target_id = ''`,
  )
  const update = db.prepare<[string, string, string, number]>(
    'UPDATE links SET name = ?, file = ?, section = ? WHERE id = ?',
  )
  for (const { id, ...link } of links.all()) {
    const { name, file, section } = linkParts(link)
    update.run(name, file, section, id)
  }
  // Not in a new database, which has no space yet.
  const hasDocuments = db.prepare('SELECT 1 FROM documents LIMIT 1').get() !== undefined
  if (!hasDocuments) return
  rebuildLinks({ db, spaceId: 1, now: Date.now })
  db.exec(`INSERT INTO node_index (node_index) VALUES ('rebuild')`)
}
