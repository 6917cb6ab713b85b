import { expect, test } from 'vitest'
import { sessionName } from '../../src/mcp/web/session.ts'
import { soon } from '../support/soon.ts'
import { manualTimers } from '../support/timers.ts'
import { begin, holdCalls, named, openWeb, send } from '../support/web.ts'

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'MemoryStats', arguments: {} } }
const MINUTE = 60_000

/** Room for two sessions, and a clock that stands still unless it is moved. */
async function openCrowded() {
  const timers = manualTimers()
  const web = await openWeb({ limits: { maxSessions: 2 }, setTimer: timers.setTimer })
  let now = 0
  web.served.clock = () => now
  /** So many sessions are idle: only then does the time count. */
  const idle = (count: number) => soon(timers.delays).toHaveLength(count)
  const beginIdle = async (count: number): Promise<string> => {
    const id = await begin(web)
    await idle(count)
    return id
  }
  return {
    web,
    idle,
    beginIdle,
    pass: (ms: number) => {
      now += ms
    },
    async statusOf(id: string): Promise<number> {
      const response = await send(web, { message: PING, headers: named(id) })
      await response.text()
      return response.status
    },
  }
}

test('a newcomer gets the place of the session that was idle for longest, after a minute', async () => {
  const { web, beginIdle, pass, statusOf } = await openCrowded()
  const [first, second] = [await beginIdle(1), await beginIdle(2)]
  pass(MINUTE - 1)
  expect(await begin(web)).toBe('')
  pass(1)
  const third = await beginIdle(2)
  expect(web.counts().sessions).toBe(2)
  expect(web.ended).toMatchObject([{ id: sessionName(first) }])
  expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([404, 200, 200])
})

test('whoever asks is not idle: the other one leaves', async () => {
  const { beginIdle, pass, statusOf, idle } = await openCrowded()
  const [first, second] = [await beginIdle(1), await beginIdle(2)]
  pass(MINUTE)
  expect(await statusOf(first)).toBe(200)
  await idle(2)
  await beginIdle(2)
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 404])
})

test('a session with an open stream or a call under way stays, however long', async () => {
  const { web, beginIdle, pass, statusOf, idle } = await openCrowded()
  const [listening, calling] = [await beginIdle(1), await beginIdle(2)]
  await send(web, { method: 'GET', headers: named(listening) })
  const release = holdCalls(web)
  const answer = await send(web, { message: CALL, headers: named(calling) })
  await idle(0)
  pass(100 * MINUTE)
  expect(await begin(web)).toBe('')
  release()
  expect(await answer.text()).toContain('"id":7')
  expect(await statusOf(listening)).toBe(200)
})

test('so does one whose call is under way after its connection was lost', async () => {
  const { web, beginIdle, pass, idle } = await openCrowded()
  const [calling, listening] = [await beginIdle(1), await beginIdle(2)]
  await send(web, { method: 'GET', headers: named(listening) })
  await idle(1)
  const release = holdCalls(web)
  const gone = new AbortController()
  await send(web, { message: CALL, headers: named(calling), signal: gone.signal })
  gone.abort()
  await idle(1)
  pass(MINUTE)
  expect(await begin(web)).toBe('')
  release()
  await soon(async () => (await begin(web)) !== '').toBe(true)
})

test('several newcomers at once get one place each', async () => {
  const { web, beginIdle, pass, idle } = await openCrowded()
  await beginIdle(1)
  await beginIdle(2)
  pass(MINUTE)
  const ids = await Promise.all([begin(web), begin(web), begin(web), begin(web)])
  expect(ids.filter((id) => id !== '')).toHaveLength(2)
  await idle(2)
  expect(web.counts().sessions).toBe(2)
  expect(web.ended).toHaveLength(2)
})
