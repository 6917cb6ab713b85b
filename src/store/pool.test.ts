import { expect, test } from 'vitest'
import { createPool } from './pool.ts'

/** A pool of one handle, which may be outdated and may fail to open. */
async function start() {
  const state = { isOutdated: false, problem: undefined as Error | undefined, open: 0 }
  const pool = createPool({
    open() {
      if (state.problem) throw state.problem
      state.open++
      return 'handle'
    },
    close: () => void state.open--,
    isOutdated: () => state.isOutdated,
    limit: 1,
  })
  const running = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const first = pool.use(() => {
    begun.resolve()
    return running.promise
  })
  await begun.promise
  const answers = [first, pool.use(async () => 'second'), pool.use(async () => 'third')]
  return { pool, state, running, answered: Promise.allSettled(answers) }
}

test('calls that wait for a handle that cannot be opened again fail', async () => {
  const { pool, state, running, answered } = await start()
  Object.assign(state, { isOutdated: true, problem: new Error('gone') })
  running.resolve()
  expect((await answered).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  Object.assign(state, { isOutdated: false, problem: undefined })
  expect(await pool.use(async () => 'later')).toBe('later')
  await pool.close()
  expect(state.open).toBe(0)
})

test('a pool closes when the last handle cannot be opened again', async () => {
  const { pool, state, running, answered } = await start()
  Object.assign(state, { isOutdated: true, problem: new Error('gone') })
  const closed = pool.close()
  running.resolve()
  await closed
  expect((await answered).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(state.open).toBe(0)
})
