import type { Database } from 'better-sqlite3'

/** What has the tag `todo/urgent` has `todo` too: the search index is made again. */
export function nestedTags(db: Database): void {
  const hasDocuments = db.prepare('SELECT 1 FROM documents LIMIT 1').get() !== undefined
  if (hasDocuments) db.exec(`INSERT INTO node_index (node_index) VALUES ('rebuild')`)
}
