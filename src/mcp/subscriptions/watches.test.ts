import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHeld } from './held.ts'
import { createWatches } from './watches.ts'

/** Keys with revisions; a look waits until it is let through, where `gate` is closed. */
function watching() {
  const stamps = new Map<string, string>()
  const told: string[] = []
  const asked: string[] = []
  let gate = Promise.resolve()
  const watches = createWatches({
    async stampOf(uri) {
      asked.push(uri)
      await gate
      if (stamps.get(uri) === 'broken') throw new Error('broken')
      return stamps.get(uri)
    },
    tell: (uri) => told.push(uri),
  })
  const close = (until: Promise<void>): void => {
    gate = until
  }
  return { stamps, told, asked, watches, close }
}

const [A, B] = ['memory://a', 'memory://b'] as const

test('only what is another than before is told', async () => {
  const { stamps, told, watches } = watching()
  stamps.set(A, '1').set(B, '1')
  await Promise.all([watches.add(A), watches.add(B)])
  stamps.set(A, '2')
  await watches.check('keys')
  expect(told).toEqual([A])
  await watches.check('keys')
  expect(told).toEqual([A])
})

test('of another kind nothing is asked', async () => {
  const { stamps, asked, watches } = watching()
  stamps.set(A, '1')
  await watches.add(A)
  await watches.check('records')
  expect(asked).toEqual([A])
})

test('what has no stamp, or cannot be looked at, is told with every look', async () => {
  const { stamps, told, watches } = watching()
  stamps.set(B, 'broken')
  await Promise.all([watches.add(A), watches.add(B)])
  await watches.check('keys')
  await watches.check('keys')
  expect(told).toEqual([A, B, A, B])
})

test('however many hold it, it is looked at once; when the last one is gone, no more', async () => {
  const { stamps, asked, told, watches } = watching()
  stamps.set(A, '1')
  const clients = Array.from({ length: 50 }, () => createHeld(watches))
  await Promise.all(clients.flatMap((client) => [client.add(A), client.add(A)]))
  stamps.set(A, '2')
  await watches.check('keys')
  expect([asked.length, told, watches.size()]).toEqual([2, [A], 1])
  clients[0]?.delete(A)
  clients[0]?.delete(A)
  for (const client of clients.slice(1)) client.clear()
  expect(watches.size()).toBe(0)
  await watches.check('keys')
  expect(asked).toHaveLength(2)
})

test('looks do not overlap: what comes meanwhile is one more', async () => {
  const { stamps, asked, told, watches, close } = watching()
  stamps.set(A, '1')
  await watches.add(A)
  const open = Promise.withResolvers<void>()
  close(open.promise)
  const checks = [watches.check('keys'), watches.check('keys'), watches.check('keys')]
  await expect.poll(() => asked.length).toBe(2)
  stamps.set(A, '2')
  open.resolve()
  await Promise.all(checks)
  expect(asked).toHaveLength(3)
  expect(told).toEqual([A])
})

test('who left while it was looked at is not told', async () => {
  const { stamps, asked, told, watches, close } = watching()
  stamps.set(A, '1')
  await watches.add(A)
  const open = Promise.withResolvers<void>()
  close(open.promise)
  stamps.set(A, '2')
  const checked = watches.check('keys')
  await expect.poll(() => asked.length).toBe(2)
  watches.remove(A)
  open.resolve()
  await checked
  expect(told).toEqual([])
})

test('there is room for so many, and for those that are held already', async () => {
  const { watches } = watching()
  for (let at = 0; at < 50_000; at++) void watches.add(`memory://${at}`)
  expect([watches.hasRoom('memory://7'), watches.hasRoom(A)]).toEqual([true, false])
  watches.remove('memory://7')
  expect(watches.hasRoom(A)).toBe(true)
  expect(watches.hasRoom(`memory://${'a'.repeat(9000)}`)).toBe(false)
})

test('what is no memory:// is not looked at', async () => {
  const { asked, watches } = watching()
  await watches.add('remindb://tree')
  watches.remove('remindb://tree')
  expect([asked, watches.size()]).toEqual([[], 0])
})

const steps = fc.array(
  fc.record({
    does: fc.constantFrom('subscribe', 'leave', 'change', 'check'),
    client: fc.nat(2),
    uri: fc.constantFrom(A, B, 'memory://c'),
  }),
  { maxLength: 60 },
)

test('whoever comes and goes: a change is told while somebody holds it, and nothing else is', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { stamps, told, watches } = watching()
      const clients = [0, 1, 2].map(() => createHeld(watches))
      const changed = new Set<string>()
      for (const uri of [A, B, 'memory://c']) stamps.set(uri, '0')
      const isHeld = (uri: string) => clients.some((client) => client.has(uri))
      for (const { does, client, uri } of all) {
        if (does === 'subscribe') await clients[client]?.add(uri)
        if (does === 'leave') clients[client]?.delete(uri)
        if (does === 'change') stamps.set(uri, `${Number(stamps.get(uri)) + 1}`)
        if (does === 'change' && isHeld(uri)) changed.add(uri)
        for (const one of changed) if (!isHeld(one)) changed.delete(one)
        if (does !== 'check') continue
        told.length = 0
        await watches.check('keys')
        expect(new Set(told)).toEqual(changed)
        changed.clear()
      }
      for (const client of clients) client.clear()
      expect(watches.size()).toBe(0)
    }),
  )
})
