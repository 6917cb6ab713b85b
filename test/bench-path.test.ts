import { describe, expect, test } from 'vitest'
import type { CallCounts } from '../bench/path/call-counts.ts'
import { passedBy, sumByLayer } from '../bench/path/passed-files.ts'

const counts = (files: Record<string, Record<number, number>>): CallCounts =>
  new Map(
    Object.entries(files).map(([file, calls]) => [
      file,
      new Map(Object.entries(calls).map(([place, count]) => [Number(place), count])),
    ]),
  )

describe('the path of a call', () => {
  test('has the files with functions that every further call runs', () => {
    const few = counts({ 'core/write.ts': { 10: 2, 90: 1 }, 'core/start.ts': { 5: 1 } })
    const many = counts({
      'core/write.ts': { 10: 12, 90: 1 },
      'core/start.ts': { 5: 1 },
      'core/loop.ts': { 7: 40 },
      'core/sometimes.ts': { 7: 9 },
    })
    expect(passedBy(few, many, 10)).toEqual([
      { file: 'core/loop.ts', functions: 1 },
      { file: 'core/write.ts', functions: 1 },
    ])
  })

  test('is summed by layer', () => {
    const passed = [
      { file: 'core/a.ts', functions: 2 },
      { file: 'core/find/b.ts', functions: 1 },
      { file: 'store/sqlite/c.ts', functions: 4 },
    ]
    expect(sumByLayer(passed)).toEqual([
      { layer: 'core', files: 2, functions: 3 },
      { layer: 'store', files: 1, functions: 4 },
      { layer: 'all', files: 3, functions: 7 },
    ])
  })
})
