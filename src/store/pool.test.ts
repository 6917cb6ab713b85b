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

/** A pool of things that are named by their number, and calls that end when they are told to. */
function startShared(limits: { limit: number; limitPerClient?: number }) {
  let opened = 0
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const pool = createPool({ ...limits, open: () => ++opened, close: () => undefined })
  const call = (name: string, client: object, rank?: (one: number) => number) =>
    pool.use(
      (one) => {
        begun.push(`${name} ${one}`)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      },
      { client, ...(rank && { rank }) },
    )
  const end = async (name: string, ended: Promise<void>) => {
    ends.get(name)?.()
    await ended
  }
  return { call, end, begun }
}

test('clients that wait take turns, however many calls one has', async () => {
  const { call, end, begun } = startShared({ limit: 1 })
  const [a, b] = [{}, {}]
  const calls = new Map(['a1', 'a2', 'a3', 'a4'].map((name) => [name, call(name, a)]))
  calls.set('b1', call('b1', b))
  calls.set('b2', call('b2', b))
  for (const name of ['a1', 'a2', 'b1', 'a3', 'b2', 'a4']) await end(name, calls.get(name) as Promise<void>)
  expect(begun.map((one) => one.split(' ')[0])).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
})

test('one client never has all of them where it has a limit of its own', async () => {
  const { call, end, begun } = startShared({ limit: 2, limitPerClient: 1 })
  const [a, b] = [{}, {}]
  const [first, second, other] = [call('a1', a), call('a2', a), call('b1', b)]
  expect(begun).toEqual(['a1 1', 'b1 2'])
  await end('b1', other)
  expect(begun).toEqual(['a1 1', 'b1 2'])
  await end('a1', first)
  expect(begun).toEqual(['a1 1', 'b1 2', 'a2 1'])
  await end('a2', second)
})

test('the one with the highest rank is used, and rather than one below zero another is opened', async () => {
  const { call, end, begun } = startShared({ limit: 3 })
  const both = [call('a', {}), call('b', {})]
  await end('a', both[0] as Promise<void>)
  await end('b', both[1] as Promise<void>)
  await end(
    'first',
    call('first', {}, (one) => (one === 1 ? 2 : 1)),
  )
  await end(
    'new',
    call('new', {}, () => -1),
  )
  await end(
    'full',
    call('full', {}, (one) => (one === 2 ? -1 : -2)),
  )
  expect(begun).toEqual(['a 1', 'b 2', 'first 1', 'new 3', 'full 2'])
})
