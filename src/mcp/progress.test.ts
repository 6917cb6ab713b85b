import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withProgress } from './progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function openRequest(progressToken?: string) {
  const sent: unknown[] = []
  const work = Promise.withResolvers<string>()
  const asked = {
    _meta: progressToken === undefined ? {} : { progressToken },
    notify: async (message: unknown) => void sent.push(message),
  }
  return { sent, work, answer: withProgress(asked, () => work.promise) }
}

test('a client that gave a token is notified while its call goes on', async () => {
  const { sent, work, answer } = openRequest('t')
  vi.advanceTimersByTime(14_000)
  expect(sent).toEqual([])
  vi.advanceTimersByTime(20_000)
  expect(sent).toMatchObject([
    { method: 'notifications/progress', params: { progressToken: 't', progress: 15 } },
    { method: 'notifications/progress', params: { progressToken: 't', progress: 30 } },
  ])
  work.resolve('done')
  expect(await answer).toBe('done')
  vi.advanceTimersByTime(60_000)
  expect(sent).toHaveLength(2)
})

test('a client without a token is not, and a failure ends it', async () => {
  const silent = openRequest()
  vi.advanceTimersByTime(60_000)
  expect(silent.sent).toEqual([])
  const failing = openRequest('t')
  failing.work.reject(new Error('no'))
  await expect(failing.answer).rejects.toThrow('no')
  vi.advanceTimersByTime(60_000)
  expect(failing.sent).toEqual([])
})
