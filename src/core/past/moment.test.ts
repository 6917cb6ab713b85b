import { describe, expect, test } from 'vitest'
import type { CheckpointRow, MomentInput, SnapshotPage } from '../port/history.ts'
import type { SnapshotRow } from '../port/rows.ts'
import { momentAt, parseMoment } from './moment.ts'

const NOW = Date.UTC(2026, 0, 31, 12)
const HOUR = 3_600_000

describe('parseMoment reads', () => {
  test.each<[MomentInput, object]>([
    [12, { snapshot: 12 }],
    [' 12 ', { snapshot: 12 }],
    ['now', { until: Number.MAX_SAFE_INTEGER }],
    ['Yesterday', { until: Date.UTC(2026, 0, 31) - 1 }],
    ['2h ago', { until: NOW - 2 * HOUR }],
    ['2 hours ago', { until: NOW - 2 * HOUR }],
    ['90 minutes ago', { until: NOW - 1.5 * HOUR }],
    ['1h30m', { until: NOW - 1.5 * HOUR }],
    ['3 days ago', { until: NOW - 72 * HOUR }],
    ['2w', { until: NOW - 14 * 24 * HOUR }],
    ['2026-01-20', { until: Date.UTC(2026, 0, 21) - 1 }],
    ['2026-01-20T10:30', { until: Date.UTC(2026, 0, 20, 10, 30) }],
    ['2026-01-20T10:30:00+02:00', { until: Date.UTC(2026, 0, 20, 8, 30) }],
    ['before the refactoring', { checkpoint: 'before the refactoring' }],
    ['2026-02-31', { checkpoint: '2026-02-31' }],
    ['5 apples ago', { checkpoint: '5 apples ago' }],
  ])('%s', (given, expected) => {
    expect(parseMoment(given, NOW)).toEqual(expected)
  })

  test.each(['', '  ', undefined, Number.NaN, 1.5, -1, {}])('no moment in %s', (given) => {
    const isName = typeof given === 'number'
    if (isName) expect(parseMoment(given, NOW)).toHaveProperty('checkpoint')
    else expect(() => parseMoment(given as string, NOW)).toThrow(/a moment is a snapshot number/)
  })
})

const rows = [
  { id: 1, createdAt: 100 },
  { id: 3, createdAt: 300 },
] as SnapshotRow[]
const tx = {
  state: async () => ({ head: rows.at(-1) }) as never,
  async snapshots({ after = 0, before = 99, until = 999, limit }: SnapshotPage) {
    const fits = ({ id, createdAt }: SnapshotRow): boolean => id > after && id < before && createdAt <= until
    return rows.filter(fits).reverse().slice(0, limit)
  },
  checkpoints: async () => [{ name: 'release', snapshotId: 1 } as CheckpointRow],
}

test('momentAt finds the newest snapshot at a moment', async () => {
  expect(await momentAt(tx, { snapshot: 3 })).toBe(rows[1])
  expect(await momentAt(tx, { checkpoint: 'release' })).toBe(rows[0])
  expect(await momentAt(tx, { until: 299 })).toBe(rows[0])
  expect(await momentAt(tx, { until: 300 })).toBe(rows[1])
})

test('momentAt says what there is instead of a moment that does not exist', async () => {
  await expect(momentAt(tx, { snapshot: 4 })).rejects.toThrow('snapshot 4 is ahead of HEAD 3')
  await expect(momentAt(tx, { snapshot: 2 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(momentAt(tx, { until: 99 })).rejects.toThrow('the history of this memory begins later')
  await expect(momentAt(tx, { checkpoint: 'relase' })).rejects.toThrow(
    'no checkpoint is named "relase"; checkpoints: "release". A moment is a snapshot number',
  )
})
