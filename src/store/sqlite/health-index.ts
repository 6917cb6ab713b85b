import { type Check, countOf, type Finding, fail, pass } from './check.ts'
import type { Context } from './context.ts'
import { isCorrupt } from './errors.ts'

const LIVE = 'SELECT key FROM nodes WHERE removed_in IS NULL'
const INDEXED = 'SELECT id FROM node_index_docsize'
const SAMPLE_SIZE = 200
/** Letters between ASCII separators: surely a word of the index, whatever its tokenizer takes for a letter beyond ASCII. */
const WHOLE_WORD = /(?<=^|[ -/:-@[-`{-~\s])[A-Za-z]{3,30}(?=$|[ -/:-@[-`{-~\s])/

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
      const word = WHOLE_WORD.exec(text)?.[0]
      return word !== undefined && !find.get(`"${word}"`, key)
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

export function fileCheck({ db }: Context): Check {
  return {
    name: 'database_file',
    run: () =>
      isSound(db)
        ? pass('quick_check ok')
        : fail('the database file is damaged: restore the newest backup, then compile again'),
  }
}

function isSound(db: Context['db']): boolean {
  try {
    // quick_check looks into the index as this handle last saw it; a query makes it look at the present one.
    db.prepare(`SELECT 1 FROM node_index WHERE node_index MATCH 'a' LIMIT 1`).get()
    return db.pragma('quick_check(1)', { simple: true }) === 'ok'
  } catch (error) {
    if (isCorrupt(error)) return false
    throw error
  }
}
