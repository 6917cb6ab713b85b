import { type Check, countOf, type Finding, fail, pass } from './check.ts'
import type { Context } from './context.ts'

const LIVE = 'SELECT key FROM nodes WHERE removed_in IS NULL'
const INDEXED = 'SELECT id FROM node_index_docsize'
const SAMPLE_SIZE = 200

/** FTS5's own integrity check writes; this one only reads: the same rows, and a sample of them found by their words. */
export function indexCheck({ db }: Context): Check {
  function sampleMisses(): number {
    const total = countOf(db, `SELECT count(*) AS count FROM (${LIVE})`)
    const step = Math.max(1, Math.floor(total / SAMPLE_SIZE))
    const sample = db
      .prepare<[number], { key: number; text: string }>(
        `SELECT r.key, r.label || ' ' || r.body AS text FROM node_index_rows r WHERE r.key % ? = 0 LIMIT ${2 * SAMPLE_SIZE}`,
      )
      .all(step)
    const find = db.prepare('SELECT 1 FROM node_index WHERE node_index MATCH ? AND rowid = ?')
    return sample.filter(({ key, text }) => {
      const word = /[A-Za-z]{3,30}/.exec(text)?.[0]
      return word !== undefined && !find.get(`"${word}"`, key) && isWholeWord(text, word)
    }).length
  }

  return {
    name: 'fts5_sync',
    run(): Finding {
      const missing = countOf(db, `SELECT count(*) AS count FROM (${LIVE} EXCEPT ${INDEXED})`)
      const extra = countOf(db, `SELECT count(*) AS count FROM (${INDEXED} EXCEPT ${LIVE})`)
      const misses = missing + extra === 0 ? sampleMisses() : 0
      if (missing + extra + misses > 0) {
        return fail(
          `FTS5 index is out of sync: ${missing} nodes missing, ${extra} left over, ${misses} not found by their words`,
        )
      }
      return pass(`FTS5 index in sync with ${countOf(db, `SELECT count(*) AS count FROM (${LIVE})`)} nodes`)
    },
    heal() {
      db.exec(`INSERT INTO node_index (node_index) VALUES ('rebuild')`)
    },
  }
}

/** A run of ASCII letters is a word of the index only when no other letter or digit touches it. */
function isWholeWord(text: string, word: string): boolean {
  const at = text.indexOf(word)
  return !/[\p{L}\p{N}\p{M}]/u.test(
    text.slice(at - 1, at) + text.slice(at + word.length, at + word.length + 2),
  )
}

export function fileCheck({ db }: Context): Check {
  return {
    name: 'database_file',
    run() {
      // quick_check looks into the index as this handle last saw it; a query makes it look at the present one.
      db.prepare(`SELECT 1 FROM node_index WHERE node_index MATCH 'a' LIMIT 1`).get()
      const found = db.pragma('quick_check(1)', { simple: true }) as string
      if (found === 'ok') return pass('quick_check ok')
      return fail('the database file is damaged: restore the newest backup, then compile again')
    },
  }
}
