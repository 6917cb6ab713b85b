import { expect, test } from 'vitest'
import type { OpenEmpty } from './store.ts'

export function leaseContract(open: OpenEmpty): void {
  test('has one holder at a time, until it expires', async () => {
    const { store } = await open()
    const acquire = (holder: string, now: number, name = 'tick') =>
      store.write((tx) => tx.acquireLease({ name, holder, ttlMs: 100, now }))
    expect(await acquire('a', 1000)).toBe(true)
    expect(await acquire('b', 1099)).toBe(false)
    expect(await acquire('a', 1050)).toBe(true)
    expect(await acquire('b', 1149)).toBe(false)
    expect(await acquire('b', 1149, 'rescan')).toBe(true)
    expect(await acquire('b', 1150)).toBe(true)
    expect(await acquire('a', 1151)).toBe(false)
  })

  test('is taken over when it would last for days: the clock of its holder was wrong', async () => {
    const { store } = await open()
    const day = 86_400_000
    const acquire = (holder: string, now: number) =>
      store.write((tx) => tx.acquireLease({ name: 'tick', holder, ttlMs: 1000, now }))
    expect(await acquire('a', day)).toBe(true)
    expect(await acquire('b', 1000)).toBe(false)
    expect(await acquire('b', 999)).toBe(true)
    expect(await acquire('a', 1000)).toBe(false)
  })

  test('only its holder can let it go', async () => {
    const { store } = await open()
    const lease = (holder: string) => ({ name: 'tick', holder, ttlMs: 1000, now: 0 })
    await store.write((tx) => tx.acquireLease(lease('a')))
    await store.write((tx) => tx.releaseLease(lease('b')))
    expect(await store.write((tx) => tx.acquireLease(lease('b')))).toBe(false)
    await store.write((tx) => tx.releaseLease(lease('a')))
    expect(await store.write((tx) => tx.acquireLease(lease('b')))).toBe(true)
  })

  test('one of many that ask at once gets it', async () => {
    const { store } = await open()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        store.write((tx) => tx.acquireLease({ name: 'tick', holder: `h${at}`, ttlMs: 1000, now: 0 })),
      ),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
  })
}
