/** Child of `bench/engine.ts`: heat and links on a compiled memory, each beside the rows it cannot do without. */

import Sqlite, { type Database } from 'better-sqlite3'
import { boostHeat, tickHeat } from '../../src/core/rows/heat.ts'
import { openMemory } from '../../src/index.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { loadXxh64 } from '../../src/util/text/xxh64.ts'
import { writing } from '../../test/support/writing.ts'
import { medianOf } from './timing.ts'

const [file = ''] = process.argv.slice(2)
const RUNS = 41
const BATCH = 50
const MINUTES = 60_000

const ids = pickIds(RUNS * BATCH)
const raw = rawTimes()
const heat = await heatTimes()
const links = await linkTimes()
process.stdout.write(JSON.stringify({ ...heat, ...raw, ...links }))

/** Spread over the whole memory, so that a batch is not one page of the database. */
function pickIds(count: number): { key: number; id: string }[] {
  const db = new Sqlite(file, { readonly: true })
  const last = db.prepare('SELECT max(key) FROM nodes').pluck().get() as number
  const byKey = db.prepare<[number], { key: number; id: string }>(
    'SELECT key, id FROM nodes WHERE key >= ? AND removed_in IS NULL LIMIT 1',
  )
  const picked = Array.from({ length: count }, (_, at) => byKey.get(Math.floor((at * 7919) % last) + 1))
  db.close()
  return picked.flatMap((row) => (row ? [row] : []))
}

async function heatTimes() {
  const engine = await openSqlite({ file, hash: await loadXxh64(), writer: 'here' })
  const { store } = engine
  let now = Date.now()
  const tick = { ratePerHour: 0.05, enabled: true }
  const tickMs = await medianOf(RUNS, () => {
    now += 5 * MINUTES
    return writing(store, (tx) => tickHeat(tx, { ...tick, now }))
  })
  const boost = (at: number) => {
    const boosts = ids.slice(at * BATCH, (at + 1) * BATCH).map((node) => ({ ...node, by: 0.15, times: 1 }))
    return writing(store, (tx) => boostHeat(tx, boosts, now))
  }
  // Nodes nobody has read yet, fifty places of the order of heat a batch; then the same ones again.
  const firstBoostMs = await medianOf(RUNS, boost)
  const boostMs = await medianOf(RUNS, boost)
  const coldestMs = await medianOf(RUNS, () =>
    store.read((tx) => tx.nodes({ order: 'coldest', limit: BATCH }, 'brief')),
  )
  await engine.close()
  return { tickMs, firstBoostMs, boostMs, coldestMs }
}

/** The same rows by hand, on the same settings: one commit for each tick and each batch. */
function rawTimes() {
  const db = new Sqlite(file)
  db.pragma('synchronous = full')
  const one = db.prepare('UPDATE spaces SET heat_clock = heat_clock + 0.0001')
  const many = db.prepare('UPDATE heat SET accesses = accesses + 1 WHERE node_key = ?')
  const commit = (work: () => void): number => {
    const start = performance.now()
    db.transaction(work).immediate()
    return performance.now() - start
  }
  const rawTickMs = medianTime(() => commit(() => void one.run()))
  const rawBoostMs = medianTime((at) => commit(() => boostRows(many, at)))
  db.close()
  return { rawTickMs, rawBoostMs }
}

function boostRows(statement: ReturnType<Database['prepare']>, at: number): void {
  for (const { key } of ids.slice(at * BATCH, (at + 1) * BATCH)) statement.run(key)
}

function medianTime(run: (at: number) => number): number {
  const times = Array.from({ length: RUNS }, (_, at) => run(at)).sort((a, b) => a - b)
  return times[Math.floor(RUNS / 2)] ?? 0
}

/** A note that links to a heading; and a heading that ten links wait for. */
async function linkTimes() {
  await using memory = await openMemory({ db: file, settings: { author: 'bench' } })
  const linkMs = await medianOf(RUNS, (at) => memory.write({ payload: `See [[Note ${at}]], number ${at}` }))
  for (let at = 0; at < RUNS; at++) {
    const waiting = Array.from({ length: 10 }, (_, n) => `- [[Awaited ${at}; source=mcp:write]] ${n}`)
    await memory.write({ payload: waiting.join('\n\ntext\n\n') })
  }
  const healMs = await medianOf(RUNS, (at) => memory.write({ payload: `# Awaited ${at}` }))
  return { linkMs, healMs }
}
