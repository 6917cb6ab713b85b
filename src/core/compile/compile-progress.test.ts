import { expect, test } from 'vitest'
import { isAnswerLine } from '../answer-lines.ts'
import { compilingLine } from './compile-progress.ts'

test.each([
  [{ phase: 'read', done: 0, total: 0 }, 'still compiling: looking for files'],
  [{ phase: 'read', done: 2400, total: 3000 }, 'still compiling: 1,200 of 3,000 files'],
  [{ phase: 'write', done: 0, total: 3000 }, 'still compiling: 1,500 of 3,000 files'],
  [{ phase: 'write', done: 3000, total: 3000 }, 'still compiling: 3,000 of 3,000 files'],
  [{ phase: 'read', done: 0, total: 1 }, 'still compiling: 0 of 1 file'],
] as const)('%j is %s, and content cannot forge it', (progress, line) => {
  expect(compilingLine(progress)).toBe(line)
  expect(isAnswerLine(line)).toBe(true)
})
