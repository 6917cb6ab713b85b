import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openHandle } from '../../src/store/sqlite/database/driver.ts'
import { migrate } from '../../src/store/sqlite/database/migrate.ts'
import { EFFECTIVE_HEAT } from '../../src/store/sqlite/database/rows.ts'
import { heatSummaries } from '../../src/store/sqlite/summary.ts'
import { hash } from '../support/store-changes.ts'

/** What an overview says of heat, by its definition: everything is read and sorted. */
const LIVE_HEAT = `SELECT ${EFFECTIVE_HEAT} AS heat, h.pinned FROM heat h JOIN nodes n ON n.key = h.node_key
  WHERE n.removed_in IS NULL`

function byDefinition(db: Database, thresholds: { hot: number; cold: number }) {
  const sums = db
    .prepare(
      `SELECT coalesce(avg(heat), 0) AS avg, coalesce(sum(heat >= @hot), 0) AS hot, coalesce(sum(heat < @cold), 0) AS cold,
         coalesce(sum(pinned), 0) AS pinned FROM (${LIVE_HEAT})`,
    )
    .get({ space: 1, ...thresholds }) as { avg: number; hot: number; cold: number; pinned: number }
  const values = db
    .prepare(`SELECT heat FROM (${LIVE_HEAT}) ORDER BY heat`)
    .pluck()
    .all({ space: 1 }) as number[]
  return { ...sums, median: values[Math.floor(values.length / 2)] ?? 0 }
}

const node = fc.record({
  // In steps: within the last digit of a threshold either answer is right.
  value: fc.oneof(
    fc.constantFrom(0, 0.1, 0.5, 1),
    fc.integer({ min: 0, max: 1_000_000 }).map((millionths) => millionths / 1_000_000),
  ),
  clock: fc.constantFrom(0, 1.25, 3.5),
  pinned: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
  removed: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constant(1) }),
})

test('the heat of an overview is what counting and sorting all nodes would give', () => {
  const db = openHandle(':memory:')
  onTestFinished(() => void db.close())
  migrate(db, 0)
  db.exec(`UPDATE spaces SET heat_clock = 3.5;
    INSERT INTO spaces (id, name, state_digest, heat_clock, heat_ticked_at) VALUES (0, 'another', x'', 99, 0);
    INSERT INTO documents (space_id, owner_id, kind, name, created_at, updated_at) VALUES (1, 1, 'note', 'n', 0, 0)`)
  const addNode = db.prepare(
    `INSERT INTO nodes (key, id, document_id, position, type, format, tokens, label, removed_in)
     VALUES (?, ?, 1, '', 'text', 'plain', 0, '', ?)`,
  )
  const addHeat = db.prepare(
    `INSERT INTO heat (node_key, value, clock, pinned, coldness)
     SELECT @key, value, clock, @pinned, CASE WHEN @pinned = 0 AND @removed IS NULL THEN coldness_of(value, clock) END
     FROM (SELECT @value AS value, @clock AS clock)`,
  )
  const temperature = heatSummaries({ db, spaceId: 1, ownerId: 1, owner: 'local', now: () => 0, hash })
  const thresholds = fc.record({ hot: fc.constantFrom(0, 0.5, 1), cold: fc.constantFrom(0, 0.1, 1) })
  fc.assert(
    fc.property(fc.array(node, { maxLength: 12 }), thresholds, (nodes, cuts) => {
      db.exec('DELETE FROM heat; DELETE FROM nodes')
      for (const [key, heat] of nodes.entries()) {
        addNode.run(key, String(key), heat.removed)
        addHeat.run({ key, ...heat })
      }
      const { avg, median, ...counts } = temperature(cuts)
      const expected = byDefinition(db, cuts)
      expect(counts).toEqual({ hot: expected.hot, cold: expected.cold, pinned: expected.pinned })
      expect(avg).toBeCloseTo(expected.avg, 12)
      expect(median).toBeCloseTo(expected.median, 12)
    }),
    { numRuns: 300 },
  )
})
