import { expect, test } from 'vitest'
import { linkEntries, NO_ENTRIES } from '../../src/core/audit/chain.ts'
import { sha256 } from '../../src/util/text/sha256.ts'
import { userRow } from '../support/account-rows.ts'
import type { OpenAccounts } from './accounts.ts'

const factsOf = (...subjects: string[]) =>
  subjects.map((subject, at) => ({
    ...{ at, event: 'key_created', userId: 'u', principalId: '', address: '', subjectKind: 'key', subject },
  }))

export function accountAuditContract(open: OpenAccounts): void {
  test('entries and the head are read as they were stored, in pages', async () => {
    const { store, reopen } = await open()
    expect(await store.read((tx) => tx.auditHead())).toBeUndefined()
    expect(await store.read((tx) => tx.audit({ after: 0, limit: 10 }))).toEqual([])
    const { add = [], head } = linkEntries(NO_ENTRIES, factsOf('a', 'b', 'c'), sha256)
    await store.write((tx) => tx.putAudit({ add, head }))
    for (const one of [store, ...(reopen ? [await reopen()] : [])]) {
      expect(await one.read((tx) => tx.auditHead())).toEqual(head)
      expect(await one.read((tx) => tx.audit({ after: 0, limit: 2 }))).toEqual(add.slice(0, 2))
      expect(await one.read((tx) => tx.audit({ after: 2, limit: 2 }))).toEqual(add.slice(2))
    }
  })

  test('entries are removed from the beginning', async () => {
    const { store } = await open()
    const { add = [], head } = linkEntries(NO_ENTRIES, factsOf('a', 'b', 'c'), sha256)
    await store.write((tx) => tx.putAudit({ add, head }))
    const next = { ...head, removedNumber: 2, removedHash: add[1]?.hash ?? '' }
    await store.write((tx) => tx.putAudit({ head: next, removeUpTo: 2 }))
    expect(await store.read((tx) => tx.audit({ after: 0, limit: 9 }))).toEqual(add.slice(2))
    expect(await store.read((tx) => tx.auditHead())).toEqual(next)
  })

  test('what fails leaves neither a row nor an entry', async () => {
    const { store } = await open()
    const writing = store.write(async (tx) => {
      await tx.putUser(userRow('ada'))
      await tx.putAudit(linkEntries(NO_ENTRIES, factsOf('a'), sha256))
      throw new Error('changed my mind')
    })
    await expect(writing).rejects.toThrow('changed my mind')
    expect(await store.read((tx) => tx.users())).toEqual([])
    expect(await store.read((tx) => tx.auditHead())).toBeUndefined()
  })
}
