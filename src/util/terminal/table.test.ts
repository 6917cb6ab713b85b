import { expect, test } from 'vitest'
import { alignColumns } from './table.ts'

test('alignColumns aligns every column but the last', () => {
  expect(
    alignColumns([
      ['a', 'bb', 'a long last cell'],
      ['ccc', 'd', ''],
    ]),
  ).toEqual(['a    bb  a long last cell', 'ccc  d'])
  expect(alignColumns([])).toEqual([])
})
