import { expect, test } from 'vitest'
import type { AccountStore, AccountTx } from '../../src/core/accounts/port.ts'
import { allRows, fillAccounts, spaceRow, userRow } from '../support/account-rows.ts'
import type { OpenAccounts } from './accounts.ts'

export function accountTransactionContract(open: OpenAccounts): void {
  const names = async (store: AccountStore) => (await allRows(store)).users.map(({ name }) => name)

  test('a write that throws stores nothing, also when its failure was caught', async () => {
    const { store } = await open()
    await fillAccounts(store)
    const before = await allRows(store)
    const thrown = store.write(async (tx) => {
      await tx.putUser(userRow('eve'))
      await tx.removeSpace('space-red')
      throw new TypeError('on purpose')
    })
    await expect(thrown).rejects.toThrow(TypeError)
    const caught = store.write(async (tx) => {
      await tx.putUser(userRow('eve'))
      await tx.putUser(userRow('ada', { id: 'another' })).catch(() => undefined)
    })
    await expect(caught).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await allRows(store)).toEqual(before)
  })

  test('a write sees what it stored', async () => {
    const { store } = await open()
    const seen = await store.write(async (tx) => {
      await tx.putUser(userRow('ada'))
      return tx.user({ name: 'ada' })
    })
    expect(seen).toEqual(userRow('ada'))
  })

  test('a transaction is refused after its end', async () => {
    const { store } = await open()
    let kept: AccountTx | undefined
    await store.write(async (tx) => {
      kept = tx
    })
    await expect((async () => kept?.putUser(userRow('late')))()).rejects.toThrow('ended')
    expect(await names(store)).toEqual([])
  })

  test('writes run one after the other, in the order they were asked for', async () => {
    const { store } = await open()
    const running = new Set<number>()
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        store.write(async (tx) => {
          running.add(at)
          for (let step = 0; step < 3; step++) {
            await tx.users()
            expect([...running]).toEqual([at])
          }
          await tx.putUser(userRow(`u${at}`))
          running.delete(at)
        }),
      ),
    )
    expect(await names(store)).toEqual(Array.from({ length: 12 }, (_, at) => `u${at}`))
  })

  test('reads go on beside writes and see each of them whole or not at all', async () => {
    const { store } = await open()
    const writes = Array.from({ length: 30 }, (_, at) =>
      store.write(async (tx) => {
        await tx.putUser(userRow(`u${at}`))
        await tx.users()
        await tx.putSpace(spaceRow(`s${at}`))
      }),
    )
    const reads = Array.from({ length: 30 }, () =>
      store.read(async (tx) => {
        const users = (await tx.users()).length
        await tx.keys()
        return [users, (await tx.spaces()).length]
      }),
    )
    for (const [users, spaces] of await Promise.all(reads)) expect(spaces).toBe(users)
    await Promise.all(writes)
    expect((await allRows(store)).spaces).toHaveLength(30)
  })

  test('what was acknowledged is seen by every later read, of another handle too', async () => {
    const { store, reopen } = await open()
    const other = reopen ? await reopen() : store
    for (let at = 0; at < 5; at++) {
      await store.write((tx) => tx.putUser(userRow(`u${at}`)))
      expect(await other.read((tx) => tx.user({ name: `u${at}` }))).toEqual(userRow(`u${at}`))
    }
  })

  test('two handles write at once: names stay unique and nothing is lost', async () => {
    const { store, reopen } = await open()
    const other = reopen ? await reopen() : store
    const add = (to: AccountStore, name: string, id: string) =>
      to.write(async (tx) => tx.putUser(userRow(name, { id })))
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, at) =>
        add(at % 2 ? store : other, `u${Math.floor(at / 2)}`, `id-${at}`),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CONFLICT' })
    expect((await names(store)).toSorted()).toEqual(Array.from({ length: 20 }, (_, at) => `u${at}`).sort())
    expect(await allRows(other)).toEqual(await allRows(store))
  })

  test('watchers are notified of what any handle stored, until they stop', async () => {
    const { store, reopen } = await open()
    const other = reopen ? await reopen() : store
    const seen = { first: 0, second: 0 }
    const stop = store.watch(() => {
      seen.first++
      throw new Error('of the watcher only')
    })
    store.watch(() => {
      seen.second++
    })
    await store.write((tx) => tx.putUser(userRow('own')))
    await expect.poll(() => seen.first > 0 && seen.second > 0).toBe(true)
    const before = { ...seen }
    await other.write((tx) => tx.putUser(userRow('other')))
    await expect.poll(() => seen.first > before.first && seen.second > before.second).toBe(true)
    stop()
    const last = { ...seen }
    await other.write((tx) => tx.putUser(userRow('third')))
    await expect.poll(() => seen.second > last.second).toBe(true)
    expect(seen.first).toBe(last.first)
  })

  test('closed accounts refuse every call, and are closed twice without harm', async () => {
    const { store } = await open()
    await store.write((tx) => tx.putUser(userRow('ada')))
    await store.close()
    await store.close()
    const closed = { name: 'MemoryError', code: 'UNAVAILABLE' }
    await expect(store.read((tx) => tx.users())).rejects.toMatchObject(closed)
    await expect(store.write((tx) => tx.putUser(userRow('eve')))).rejects.toMatchObject(closed)
  })

  test('closing waits for the writes that were asked for', async () => {
    const { store, reopen } = await open()
    const writes = ['a', 'b', 'c'].map((name) => store.write((tx) => tx.putUser(userRow(name))))
    await store.close()
    await Promise.all(writes)
    if (reopen) expect(await names(await reopen())).toEqual(['a', 'b', 'c'])
  })
}
