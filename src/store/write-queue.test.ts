import { expect, test } from 'vitest'
import { createTurns, createWriteQueue, type Outcome, type QueuedCall } from './write-queue.ts'

type Run = (batch: readonly QueuedCall<string>[]) => Promise<(Outcome | undefined)[]>
const done: Run = async (batch) => batch.map(({ work }) => ({ result: work }))

/** A queue whose batches are recorded, and wait until they are released. */
function recorded(run: Run = done) {
  const batches: string[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  const started: PromiseWithResolvers<void>[] = []
  const at = (list: PromiseWithResolvers<void>[], place: number) => {
    list[place] ??= Promise.withResolvers<void>()
    return list[place]
  }
  const queue = createWriteQueue<string>({
    async run(batch) {
      const place = batches.push(batch.map(({ work }) => work)) - 1
      at(started, place).resolve()
      await at(gates, place).promise
      return run(batch)
    },
    joins: (batch, next) => batch.length < 3 && next !== 'alone' && batch[0]?.work !== 'alone',
    cancel: () => true,
  })
  return {
    ...queue,
    batches,
    begun: (place: number) => at(started, place).promise,
    release: (place: number) => at(gates, place).resolve(),
  }
}

test('calls run in the order they arrive, in batches as far as they join', async () => {
  const { add, batches, release } = recorded()
  for (const place of [0, 1, 2, 3]) release(place)
  const calls = ['a', 'b', 'alone', 'c', 'd', 'e', 'f'].map((work) => add(work))
  expect(await Promise.all(calls)).toEqual(['a', 'b', 'alone', 'c', 'd', 'e', 'f'])
  expect(batches).toEqual([['a', 'b'], ['alone'], ['c', 'd', 'e'], ['f']])
})

test('a call without an outcome runs again, before those that came later', async () => {
  let isFirst = true
  const { add, batches, begun, release } = recorded(async (batch) => {
    const outcomes = batch.map(({ work }, place) => (isFirst && place > 0 ? undefined : { result: work }))
    isFirst = false
    return outcomes
  })
  const calls = ['a', 'b'].map((work) => add(work))
  await begun(0)
  calls.push(add('c'))
  release(0)
  release(1)
  expect(await Promise.all(calls)).toEqual(['a', 'b', 'c'])
  expect(batches).toEqual([
    ['a', 'b'],
    ['b', 'c'],
  ])
})

test('a call that is aborted while it waits never begins', async () => {
  const { add, batches, begun, release, close } = recorded()
  const first = add('alone')
  await begun(0)
  const leaving = new AbortController()
  const second = add('b', { signal: leaving.signal })
  const reason = new Error('left')
  leaving.abort(reason)
  await expect(second).rejects.toBe(reason)
  await expect(add('c', { signal: leaving.signal })).rejects.toBe(reason)
  release(0)
  expect(await first).toBe('alone')
  await close()
  expect(batches).toEqual([['alone']])
})

test('a call that does not wait is refused while another one runs', async () => {
  const { add, begun, release } = recorded()
  const first = add('a')
  await begun(0)
  await expect(add('b', { wait: false })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  release(0)
  release(1)
  await first
  expect(await add('c', { wait: false })).toBe('c')
})

test('closing waits for what was added and refuses what comes later', async () => {
  const { add, batches, close, release } = recorded()
  const call = add('a')
  const closed = close()
  await expect(add('b')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  release(0)
  await closed
  expect(batches).toEqual([['a']])
  expect(await call).toBe('a')
})

test('a failure is that of its call only', async () => {
  const { add } = createTurns()
  const error = new Error('no')
  const calls = [add(() => Promise.reject(error)), add(async () => 1)]
  expect(await Promise.allSettled(calls)).toEqual([
    { status: 'rejected', reason: error },
    { status: 'fulfilled', value: 1 },
  ])
})
