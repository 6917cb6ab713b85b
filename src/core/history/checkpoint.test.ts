import { expect, test } from 'vitest'
import { isCheckpointName } from './checkpoint.ts'

test.each([
  ['release 1.2', true],
  ['über:alles@home', true],
  ['12', false],
  ['yesterday', false],
  ['2026-01-31', false],
  ['7d', false],
  ['', false],
  [' x', false],
  ['a/b', false],
  ['line\nbreak', false],
  ['x'.repeat(101), false],
])('%j is the name of a checkpoint: %s', (name, expected) => {
  expect(isCheckpointName(name)).toBe(expected)
})
