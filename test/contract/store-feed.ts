import { expect, test } from 'vitest'
import { putManualLink } from '../../src/core/links/manual.ts'
import type { WriteTx } from '../../src/core/port/store.ts'
import { setHeat, takeNewlyCold, tickHeat } from '../../src/core/rows/heat.ts'
import { acquireLease, describeLease } from '../../src/core/rows/leases.ts'
import { listen } from '../support/feed.ts'
import { soon } from '../support/soon.ts'
import { addDocument, note, type TestNode } from '../support/store-changes.ts'
import { startClock, tickAfter } from '../support/store-heat.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

export function feedContract(open: OpenEmpty): void {
  const pinned = { pinned: true }

  test('tells of what is written from now on, by the operation of its snapshot', async () => {
    const engine = await open()
    await addDocument(engine.store, note('before'), [{ id: 'before', text: 'before' }])
    const heard = listen(engine)
    await addDocument(engine.store, note('n'), [{ id: 'n', text: 'n' }])
    expect(await heard.until('test')).toEqual(['test'])
  })

  test('tells each kind once of what was written between two looks', async () => {
    const engine = await open()
    const { nodes } = await addDocument(engine.store, note('n'), [{ id: 'n', text: 'n' }])
    const batches: string[][] = []
    const stop = engine.watch((kinds) => void batches.push([...kinds].sort()), { intervalMs: 300 })
    for (const id of ['a', 'b', 'c']) await addDocument(engine.store, note(id), [])
    await writing(engine.store, (tx) => setHeat(tx, [nodes[0]?.key ?? 0], pinned))
    await soon(() => batches.flat()).toContain('update')
    for (const batch of batches) expect(new Set(batch).size).toBe(batch.length)
    expect([...new Set(batches.flat())].sort()).toEqual(['test', 'update'])
    stop()
  })

  test('tells nothing of a write that was rolled back, or that changed nothing', async () => {
    const engine = await open()
    const { nodes } = await addDocument(engine.store, note('n'), [{ id: 'n', text: 'n' }])
    const heard = listen(engine)
    const failed = writing(engine.store, async (tx) => {
      await setHeat(tx, [nodes[0]?.key ?? 0], pinned)
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    await writing(engine.store, (tx) => tx.state())
    await addDocument(engine.store, note('sentinel'), [])
    expect(await heard.until('test')).toEqual(['test'])
  })

  test('tells of a tick only when there was something to cool', async () => {
    const engine = await open()
    const { store } = engine
    await startClock(store)
    const heard = listen(engine)
    await tickAfter(store, 1)
    expect(await heard.until('update')).toEqual(['update'])
    const { nodes } = await addDocument(store, note('n'), [
      { id: 'pinned', text: 'pinned' },
      { id: 'stone', text: 'stone' },
    ])
    const [first, second] = nodes.map(({ key }) => key) as [number, number]
    await writing(store, (tx) => setHeat(tx, [first], pinned))
    await writing(store, (tx) => setHeat(tx, [second], { value: 0 }))
    await tickAfter(store, 2)
    await writing(store, (tx) => setHeat(tx, [second], { value: 0.4 }))
    await tickAfter(store, 3, { enabled: false })
    await tickAfter(store, 4)
    await tickAfter(store, 5, { ratePerHour: 0 })
    await addDocument(store, note('sentinel'), [])
    await heard.until('test')
    expect(heard.batches.flat()).not.toContain('tick')
    await tickAfter(store, 6)
    await heard.until('tick')
    await writing(store, (tx) => takeNewlyCold(tx, { below: 0.5, limit: 5 }))
    heard.batches.length = 0
    await tickAfter(store, 7)
    await heard.until('tick')
  })

  test('tells what a holder means by its detail, and nothing of a stranger', async () => {
    const engine = await open()
    const heard = listen(engine)
    const describe = (tx: WriteTx, holder: string, change?: 'rescan' | 'cold') =>
      describeLease(tx, { name: 'rescan', holder, detail: '{}', ...(change ? { change } : {}) })
    await writing(engine.store, (tx) => acquireLease(tx, { name: 'rescan', holder: 'a', ttlMs: 9, now: 0 }))
    await writing(engine.store, (tx) => describe(tx, 'a'))
    await writing(engine.store, (tx) => describe(tx, 'b', 'cold'))
    await writing(engine.store, (tx) => describe(tx, 'a', 'rescan'))
    expect(new Set(await heard.until('rescan'))).toEqual(new Set(['update', 'rescan']))
  })

  test('tells all that one transaction meant', async () => {
    const engine = await open()
    const { nodes } = await addDocument(engine.store, note('n'), [{ id: 'n', text: 'n' }])
    await startClock(engine.store)
    const heard = listen(engine)
    await writing(engine.store, async (tx) => {
      await tickHeat(tx, { now: 1_700_003_600_000, ratePerHour: 1, enabled: true })
      await putManualLink(tx, nodes[0] as TestNode, { label: '', source: '', id: 'n', weight: 1 }, 0)
    })
    expect(new Set(await heard.until('tick'))).toEqual(new Set(['tick', 'relate']))
  })

  test('is silent once stopped, also twice, while another goes on', async () => {
    const engine = await open()
    const [first, second] = [listen(engine), listen(engine)]
    first.stop()
    first.stop()
    await addDocument(engine.store, note('n'), [])
    await second.until('test')
    expect(first.batches).toEqual([])
  })

  test('goes on after a handler that fails, now or later, and tells of it', async () => {
    const engine = await open()
    const errors: unknown[] = []
    let told = 0
    const handler = async (): Promise<void> => {
      told++
      throw new Error(String(told))
    }
    engine.watch(handler, { intervalMs: 5, onError: (error) => errors.push(error) })
    await addDocument(engine.store, note('a'), [])
    await soon(() => told).toBe(1)
    await addDocument(engine.store, note('b'), [])
    await soon(() => told).toBe(2)
    expect(errors).toEqual([new Error('1'), new Error('2')])
  })

  test('ends with the engine', async () => {
    const engine = await open()
    const heard = listen(engine)
    await engine.close()
    expect(() => listen(engine)).toThrow('the memory is closed')
    expect(heard.batches).toEqual([])
    heard.stop()
  })
}
