import { expect, test } from 'vitest'
import { expectSound, openWorkspace } from '../support/engine.ts'
import { exported } from '../support/memory-driver.ts'
import { piecesOf } from '../support/transfer.ts'

const LINES = 1200

test('an export of a memory that is half pruned can be imported, and pruned on', async () => {
  let now = Date.UTC(2026, 0, 10)
  const at = await openWorkspace({}, { now: () => now })
  await using _ = at
  const text = (word: string) => Array.from({ length: LINES }, (_, n) => `${word} ${n}`).join('\n\n')
  for (const word of ['one', 'two', 'three']) await at.compile({ 'a.md': text(word) })
  now += 86_400_000
  await at.memory.write({ payload: 'later' })
  const leaving = new AbortController()
  const pruning = at.memory.pruneHistory({
    ...{ keep: '1h', keepLast: 1, signal: leaving.signal },
    onProgress: () => leaving.abort(new Error('enough')),
  })
  await expect(pruning).rejects.toThrow('enough')
  const taken = await exported(at.memory)
  expect(taken).toContain('"cursor_hash":""')

  await using then = await openWorkspace({}, { now: () => now })
  await then.memory.import(piecesOf(taken, 777))
  await expectSound(then.memory)
  const numbers = async () => (await then.memory.snapshots()).map(({ id }) => id)
  expect(await numbers()).toEqual((await at.memory.snapshots()).map(({ id }) => id))
  await then.memory.pruneHistory({ keep: '1h', keepLast: 1 })
  expect(await numbers()).toEqual([4, 3])
  await expectSound(then.memory)
})
