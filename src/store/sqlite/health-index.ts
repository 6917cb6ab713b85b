import { type Finding, fail, pass } from '../../core/doctor/check.ts'
import { INDEX_CHECK } from '../../core/port/store.ts'
import { plural } from '../../util/terminal-units.ts'
import { type Check, countOf } from './check.ts'
import type { Context } from './context.ts'
import { expectedSchema, indexSettings } from './health-expected.ts'
import { type Integrity, isIndexError } from './health-file.ts'
import { rebuildIndex } from './health-rebuild.ts'
import { INDEX_ROWS } from './node-index.ts'

const LIVE = 'SELECT key FROM nodes WHERE removed_in IS NULL'
const INDEXED = 'SELECT id FROM node_index_docsize'
const SAMPLE_SIZE = 200
/** What is indexed is words with spaces between them. */
const WORD = /\S+/

/** FTS5's own integrity check writes; this one only reads: the same rows, and a sample of them found by their words. */
export function indexCheck(context: Context, integrity: () => Integrity): Check {
  const { db } = context
  function sampleMisses(): number {
    const total = countOf(db, `SELECT count(*) AS count FROM (${LIVE})`)
    const step = Math.max(1, Math.floor(total / SAMPLE_SIZE))
    const sample = db
      .prepare<[number], { key: number; text: string }>(
        `SELECT r.key, r.label || ' ' || r.body AS text FROM ${INDEX_ROWS} r WHERE r.key % ? = 0 LIMIT ${2 * SAMPLE_SIZE}`,
      )
      .all(step)
    // The driver binds numbers as REAL, and FTS5 takes a rowid that is no INTEGER for no condition at all.
    const find = db.prepare(
      'SELECT 1 FROM node_index WHERE node_index MATCH ? AND rowid = CAST(? AS INTEGER)',
    )
    return sample.filter(({ key, text }) => {
      const word = WORD.exec(text)?.[0]
      return word !== undefined && !find.get(`"${word}"`, key)
    }).length
  }

  function compare(): Finding {
    if (!hasItsSettings(context)) return fail('FTS5 index has lost its settings')
    const missing = countOf(db, `SELECT count(*) AS count FROM (${LIVE} EXCEPT ${INDEXED})`)
    const extra = countOf(db, `SELECT count(*) AS count FROM (${INDEXED} EXCEPT ${LIVE})`)
    const misses = missing + extra === 0 ? sampleMisses() : 0
    if (missing + extra + misses > 0) {
      return fail(
        `FTS5 index is out of sync: ${plural(missing, 'node')} missing, ${extra} left over, ${misses} not found by their words`,
      )
    }
    if (!integrity().index) return fail('FTS5 index is damaged')
    return pass(
      `FTS5 index in sync with ${plural(countOf(db, `SELECT count(*) AS count FROM (${LIVE})`), 'node')}`,
    )
  }

  return {
    name: INDEX_CHECK,
    run() {
      try {
        return compare()
      } catch (error) {
        if (isIndexError(error)) return fail('FTS5 index is damaged')
        throw error
      }
    },
    heal: () => rebuildIndex(context),
  }
}

/** Without them removed words would stay in the file. `version` is FTS5's own: it changes with the first removal. */
function hasItsSettings({ db }: Context): boolean {
  const actual = new Map(indexSettings(db).map(({ name, value }) => [name, value]))
  return expectedSchema().indexSettings.every(
    ({ name, value }) => name === 'version' || actual.get(name) === value,
  )
}
