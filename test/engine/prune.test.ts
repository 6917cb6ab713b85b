import { expect, test } from 'vitest'
import { all } from '../support/audit.ts'
import { expectSound, openWorkspace } from '../support/engine.ts'

test('pruning is recorded once in the audit, by the operator, and only if it removes something', async () => {
  await using at = await openWorkspace({}, { audit: {} })
  for (let count = 0; count < 4; count++) await at.memory.write({ payload: `note ${count}` })
  const options = { keep: '0', keepLast: 1 }
  expect(await at.memory.pruneHistory({ ...options, dryRun: true })).toMatchObject({ snapshots: 3 })
  const progress: number[] = []
  await at.memory.pruneHistory({ ...options, onProgress: ({ done, total }) => progress.push(done, total) })
  expect(progress.slice(-2)).toEqual([3, 3])
  await at.memory.pruneHistory(options)
  const entries = await at.memory.audit.read((chain) => all(chain.entries))
  expect(entries.filter(({ event }) => event === 'history_pruned')).toMatchObject([
    { userId: '', subject: '' },
  ])
  await expectSound(at.memory)
})

test('pruning that is interrupted throws, and what it did stays', async () => {
  await using at = await openWorkspace()
  for (let count = 0; count < 4; count++) await at.memory.write({ payload: `note ${count}` })
  const interrupt = new AbortController()
  const pruning = at.memory.pruneHistory({
    ...{ keep: '0', keepLast: 1, signal: interrupt.signal },
    onProgress: () => interrupt.abort(new Error('enough')),
  })
  await expect(pruning).rejects.toThrow('enough')
  expect(await at.memory.snapshots()).toHaveLength(1)
  await expectSound(at.memory)
})
