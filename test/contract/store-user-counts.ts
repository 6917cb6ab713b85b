import { expect, test } from 'vitest'
import type { Address } from '../../src/core/model.ts'
import type { Attributes } from '../../src/core/port/doors.ts'
import type { Engine, Store } from '../../src/core/port/store.ts'
import { countedFor } from '../../src/core/rows/user-counts.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { commit } from '../support/store-changes.ts'
import type { OpenEmpty } from './store.ts'

const key = (name: string): Address => ({ kind: 'key', key: name })

async function put(
  store: Store,
  address: Address,
  text: string,
  { userId, attributes = {} }: { userId: string | null; attributes?: Attributes },
): Promise<number> {
  const document = { address, text, digest: contentDigest(text), attributes, userId }
  const { value } = await commit(store, (tx, id) => tx.putDocuments([document], id))
  return value[0]?.id ?? 0
}

const used = (store: Store, userId: string) =>
  store.read(async (tx) => {
    const { count, bytes } = await countedFor(tx, userId)
    return { count, bytes }
  })

async function expectSound(maintenance: Engine['maintenance']): Promise<void> {
  await maintenance.scrub()
  expect((await maintenance.check()).filter(({ status }) => status !== 'pass')).toEqual([])
}

/** What counts against the quotas of users. */
export function userCountContract(open: OpenEmpty): void {
  test('counts what a user created, in bytes of UTF-8; the creator keeps what others change', async () => {
    const { store, maintenance } = await open()
    expect(await used(store, 'ada')).toEqual({ count: 0, bytes: 0 })
    const id = await put(store, key('a'), 'né', { userId: 'ada' })
    await put(store, { kind: 'record', id: 'r' }, 'four', { userId: 'bob' })
    await put(store, key('old'), 'nobody', { userId: null })
    expect(await used(store, 'ada')).toEqual({ count: 1, bytes: 3 })
    await put(store, key('a'), 'longer', { userId: 'bob' })
    await put(store, key('old'), 'still nobody', { userId: 'bob' })
    expect(await used(store, 'ada')).toEqual({ count: 1, bytes: 6 })
    expect(await used(store, 'bob')).toEqual({ count: 1, bytes: 4 })
    const piece = { lead: '\n', text: 'more', digest: contentDigest('more'), trail: '' }
    await commit(store, (tx, snapshotId) =>
      tx.appendText({ documentId: id, piece, attributes: {}, at: 2, snapshotId }),
    )
    expect(await used(store, 'ada')).toEqual({ count: 1, bytes: 11 })
    await expectSound(maintenance)
  })

  test('what is removed counts no more, and belongs to who creates it again', async () => {
    const { store, maintenance } = await open()
    const id = await put(store, key('a'), 'one', { userId: 'ada' })
    await commit(store, (tx, snapshotId) => tx.dropDocument(id, snapshotId))
    expect(await used(store, 'ada')).toEqual({ count: 0, bytes: 0 })
    await put(store, key('a'), 'two', { userId: 'bob' })
    expect(await used(store, 'ada')).toEqual({ count: 0, bytes: 0 })
    expect(await used(store, 'bob')).toEqual({ count: 1, bytes: 3 })
    await expectSound(maintenance)
  })

  test('the tombstone of a key counts without its bytes; that of a record does not', async () => {
    const { store, maintenance } = await open()
    const ids = [
      await put(store, key('a'), 'one', { userId: 'ada' }),
      await put(store, { kind: 'record', id: 'r' }, 'two', { userId: 'ada' }),
    ]
    for (const id of ids) await commit(store, (tx, snapshotId) => tx.eraseDocument(id, snapshotId, {}))
    expect(await used(store, 'ada')).toEqual({ count: 1, bytes: 0 })
    await expectSound(maintenance)
  })

  test('a folder is not counted, an empty file is', async () => {
    const { store, maintenance } = await open()
    const at = (path: string): Address => ({
      ...{ kind: 'file', node: 'm', scope: 'global', thread: '', path },
    })
    await put(store, at('/log'), '', { userId: 'ada', attributes: { folder: true } })
    await put(store, at('/log/a'), '', { userId: 'ada' })
    expect(await used(store, 'ada')).toEqual({ count: 1, bytes: 0 })
    await expectSound(maintenance)
  })

  test('a rollback brings back what was counted', async () => {
    const { store, maintenance } = await open()
    const id = await put(store, key('a'), 'one', { userId: 'ada' })
    const target = (await store.read((tx) => tx.state())).head?.id ?? 0
    await put(store, key('a'), 'longer', { userId: 'ada' })
    await put(store, key('b'), 'other', { userId: 'bob' })
    await commit(store, (tx, snapshotId) => tx.dropDocument(id, snapshotId))
    await commit(store, (tx, snapshotId) => tx.restoreDocuments(target, snapshotId))
    expect(await used(store, 'ada')).toEqual({ count: 1, bytes: 3 })
    expect(await used(store, 'bob')).toEqual({ count: 0, bytes: 0 })
    await expectSound(maintenance)
  })
}
