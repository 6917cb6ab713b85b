import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import { createEvents, type EventLimits, type SessionEvents } from './events.ts'

const LIMITS: EventLimits = { maxEvents: 3, maxBytes: 1100, maxTotalBytes: 2000 }
const STREAM = '_GET_stream'

function note(text: string): JSONRPCMessage {
  return { jsonrpc: '2.0', method: 'notifications/message', params: { text } }
}
function answer(text = ''): JSONRPCMessage {
  return { jsonrpc: '2.0', id: 1, result: { text } }
}
async function replay(events: SessionEvents, after: string): Promise<unknown[]> {
  const sent: unknown[] = []
  await events.replayEventsAfter(after, {
    send: async (_id, message) => void sent.push(JSON.stringify(message).match(/"text":"(\w*)"/)?.[1]),
  })
  return sent
}

describe('what was sent', () => {
  test('is there again after the event that is named, of its stream only', async () => {
    const events = createEvents(LIMITS).ofSession()
    const first = await events.storeEvent(STREAM, note('a'))
    await events.storeEvent('other', note('b'))
    const third = await events.storeEvent(STREAM, note('c'))
    expect(await replay(events, first)).toEqual(['c'])
    expect(await replay(events, third)).toEqual([])
    expect(await events.getStreamIdForEventId(first)).toBe(STREAM)
  })

  test('goes oldest first: by count, by size, and by the size of all sessions', async () => {
    const all = createEvents(LIMITS)
    const [mine, others] = [all.ofSession(), all.ofSession()]
    const first = await mine.storeEvent(STREAM, note('a'))
    for (const text of ['b', 'c', 'd']) await mine.storeEvent(STREAM, note(text))
    expect(await replay(mine, first)).toEqual(['b', 'c', 'd'])
    await mine.storeEvent(STREAM, note('e'.repeat(700)))
    expect((await replay(mine, first)).map((text) => String(text)[0])).toEqual(['c', 'd', 'e'])
    await mine.storeEvent(STREAM, note('f'.repeat(700)))
    expect((await replay(mine, first)).map((text) => String(text)[0])).toEqual(['f'])
    await others.storeEvent(STREAM, note('g'.repeat(800)))
    await others.storeEvent(STREAM, note('h'))
    expect(all.size().bytes).toBeLessThanOrEqual(2000)
    const more = all.ofSession()
    await more.storeEvent(STREAM, note('i'.repeat(800)))
    expect(await replay(mine, first)).toEqual([])
    expect(all.size()).toMatchObject({ events: 3 })
  })

  test('of all sessions together never takes more than it may, however many were left', async () => {
    const all = createEvents(LIMITS)
    const left: { events: SessionEvents; first: string }[] = []
    for (let at = 0; at < 50; at++) {
      const events = all.ofSession()
      const first = await events.storeEvent(STREAM, note('a'))
      await events.storeEvent(STREAM, answer('b'.repeat(400)))
      left.push({ events, first })
      expect(all.size().bytes).toBeLessThanOrEqual(LIMITS.maxTotalBytes)
    }
    const kept = await Promise.all(
      left.map(async ({ events, first }) => (await replay(events, first)).length > 0),
    )
    // Those of the newest sessions, and of no other.
    expect(kept.indexOf(true)).toBeGreaterThan(0)
    expect(kept.slice(kept.indexOf(true))).not.toContain(false)
    // Whoever names an event of a stream that is over, and was dropped, learns that it is not known.
    expect(await left[0]?.events.getStreamIdForEventId(left[0].first)).toBeUndefined()
  })

  test('is not kept when it alone is too large', async () => {
    const all = createEvents(LIMITS)
    const events = all.ofSession()
    const first = await events.storeEvent(STREAM, note('a'))
    await events.storeEvent(STREAM, note('b'.repeat(2000)))
    await events.storeEvent(STREAM, note('c'))
    expect(await replay(events, first)).toEqual(['c'])
    expect(all.size()).toMatchObject({ events: 2 })
  })

  test('is gone with its session', async () => {
    const all = createEvents(LIMITS)
    const events = all.ofSession()
    await events.storeEvent(STREAM, note('a'))
    events.clear()
    expect(all.size()).toEqual({ events: 0, bytes: 0 })
  })
})

describe('an event', () => {
  test('of another session means nothing', async () => {
    const all = createEvents(LIMITS)
    const [mine, others] = [all.ofSession(), all.ofSession()]
    const foreign = await others.storeEvent(STREAM, note('a'))
    await others.storeEvent(STREAM, note('b'))
    await mine.storeEvent(STREAM, note('c'))
    await mine.storeEvent(STREAM, note('d'))
    expect(await mine.getStreamIdForEventId(foreign)).toBeUndefined()
    expect(await replay(mine, foreign)).toEqual([])
  })

  test('that is dropped still names a stream that goes on, but not one that is over', async () => {
    const events = createEvents(LIMITS).ofSession()
    const running = await events.storeEvent('running', note('a'))
    const over = await events.storeEvent('over', note('b'))
    await events.storeEvent('over', answer())
    for (const text of ['c', 'd', 'e']) await events.storeEvent(STREAM, note(text))
    expect(await events.getStreamIdForEventId(running)).toBe('running')
    expect(await events.getStreamIdForEventId(over)).toBeUndefined()
  })
})
