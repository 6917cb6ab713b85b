import { expect, test } from 'vitest'
import { openWorkspace } from '../../../test/support/engine.ts'
import { manualTimers } from '../../../test/support/timers.ts'

const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 31)

/** Five snapshots of one day, in a server that keeps them for some time. */
async function openPruned(settings: Record<string, string> = {}) {
  let now = START
  const at = await openWorkspace({}, { now: () => now, settings: { 'history.keep_last': '1', ...settings } })
  for (let count = 0; count < 5; count++) await at.memory.write({ payload: `note ${count}` })
  const timers = manualTimers()
  const pruned: number[] = []
  const problems: unknown[] = []
  const start = (): void =>
    at.memory.startPruning({
      setTimer: timers.setTimer,
      onPruned: ({ snapshots }) => pruned.push(snapshots),
      onError: (error) => problems.push(error),
    })
  return {
    ...{ at, pruned, problems, start },
    async pass(ms: number) {
      now += ms
      // Pauses between steps are timers, too.
      for (let round = 0; round < 50; round++) {
        timers.fire()
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    },
    count: async () => (await at.memory.snapshots()).length,
  }
}

test('a server prunes what history.keep does not cover, an hour apart', async () => {
  const { at, start, pass, pruned, problems, count } = await openPruned({ 'history.keep': '1d' })
  await using _ = at
  start()
  await pass(HOUR)
  expect(await count()).toBe(5)
  await pass(30 * HOUR)
  expect([pruned, problems, await count()]).toEqual([[4], [], 1])
})

test.each([[{}], [{ 'history.keep': 'all' }], [{ 'history.keep': '1d', 'server.no_destructive': 'true' }]])(
  'a server with the settings %j prunes nothing',
  async (settings) => {
    const { at, start, pass, pruned, problems, count } = await openPruned(settings as Record<string, string>)
    await using _ = at
    start()
    await pass(1000 * HOUR)
    expect([pruned, problems, await count()]).toEqual([[], [], 5])
  },
)
