import { expect, test } from 'vitest'
import { acquireLease, describeLease, findLease, releaseLease } from '../../src/core/rows/leases.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

export function leaseContract(open: OpenEmpty): void {
  test('has one holder at a time, until it expires', async () => {
    const { store } = await open()
    const acquire = (holder: string, now: number, name = 'tick') =>
      writing(store, (tx) => acquireLease(tx, { name, holder, ttlMs: 100, now }))
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
      writing(store, (tx) => acquireLease(tx, { name: 'tick', holder, ttlMs: 1000, now }))
    expect(await acquire('a', day)).toBe(true)
    expect(await acquire('b', 1000)).toBe(false)
    expect(await acquire('b', 999)).toBe(true)
    expect(await acquire('a', 1000)).toBe(false)
  })

  test('only its holder can let it go', async () => {
    const { store } = await open()
    const lease = (holder: string) => ({ name: 'tick', holder, ttlMs: 1000, now: 0 })
    await writing(store, (tx) => acquireLease(tx, lease('a')))
    await writing(store, (tx) => releaseLease(tx, lease('b')))
    expect(await writing(store, (tx) => acquireLease(tx, lease('b')))).toBe(false)
    await writing(store, (tx) => releaseLease(tx, lease('a')))
    expect(await writing(store, (tx) => acquireLease(tx, lease('b')))).toBe(true)
  })

  test('one of many that ask at once gets it', async () => {
    const { store } = await open()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        writing(store, (tx) => acquireLease(tx, { name: 'tick', holder: `h${at}`, ttlMs: 1000, now: 0 })),
      ),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
  })

  test('tells who holds it, until when, and what its holder last did', async () => {
    const { store } = await open()
    const find = (now: number, name = 'tick') => store.read((tx) => findLease(tx, name, now))
    const describe = (holder: string, detail: string) =>
      writing(store, (tx) => describeLease(tx, { name: 'tick', holder, detail }))
    expect(await find(0)).toBeUndefined()
    await writing(store, (tx) => acquireLease(tx, { name: 'tick', holder: 'a', ttlMs: 100, now: 1000 }))
    expect(await find(1000)).toEqual({ name: 'tick', holder: 'a', detail: null, expiresAt: 1100 })
    expect(await describe('a', '{"did":1}')).toBe(true)
    expect(await describe('b', '{"did":2}')).toBe(false)
    expect(await find(1099)).toEqual({ name: 'tick', holder: 'a', detail: '{"did":1}', expiresAt: 1100 })
    expect(await find(1099, 'rescan')).toBeUndefined()
    expect(await find(1100)).toBeUndefined()
    expect(await find(1099 - 86_400_000)).toBeUndefined()
  })

  test('its detail stays when the holder goes on, and goes with the holder', async () => {
    const { store } = await open()
    const acquire = (holder: string, now: number) =>
      writing(store, (tx) => acquireLease(tx, { name: 'tick', holder, ttlMs: 100, now }))
    const detail = async (now: number) => (await store.read((tx) => findLease(tx, 'tick', now)))?.detail
    await acquire('a', 0)
    await writing(store, (tx) => describeLease(tx, { name: 'tick', holder: 'a', detail: 'mine' }))
    await acquire('a', 50)
    expect(await detail(50)).toBe('mine')
    await acquire('b', 200)
    expect(await detail(200)).toBeNull()
    await writing(store, (tx) => describeLease(tx, { name: 'tick', holder: 'b', detail: 'its' }))
    await writing(store, (tx) => releaseLease(tx, { name: 'tick', holder: 'b' }))
    await acquire('b', 250)
    expect(await detail(250)).toBeNull()
  })
}
