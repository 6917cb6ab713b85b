import { expect, test } from 'vitest'
import { auditHead, recordEvents } from '../../src/core/audit/append.ts'
import { auditPage } from '../../src/core/audit/page.ts'
import { trimAudit } from '../../src/core/audit/retention.ts'
import { verifyChain } from '../../src/core/audit/verify.ts'
import type { Store } from '../../src/core/port/store.ts'
import { pagesOf } from '../../src/core/rows/stored-pages.ts'
import { putLink } from '../../src/core/tree/relate.ts'
import { sha256 } from '../../src/util/text/sha256.ts'
import { addDocument, note } from '../support/store-changes.ts'
import type { OpenEmpty } from './store.ts'

const ADA = { userId: 'ada', principalId: 'k1', address: '192.0.2.1' }

function recalled(count: number, at = 1000) {
  const about = { event: 'memory_recalled', subjectKind: 'key' }
  return Array.from({ length: count }, (_, each) => ({
    ...ADA,
    ...about,
    subject: `key ${each}`,
    at: at + each,
  }))
}

const entriesOf = (store: Store) => store.read((tx) => tx.scan('audit', { limit: 10_000 }))

function verify(store: Store) {
  return store.read(async (tx) =>
    verifyChain({ head: await auditHead(tx), entries: pagesOf(tx, 'audit'), sha256 }),
  )
}

export function auditContract(open: OpenEmpty): void {
  test('entries are numbered and linked in the order in which they come', async () => {
    const { store } = await open()
    expect(await verify(store)).toEqual({ status: 'ok', entries: 0 })
    await store.write(recordEvents, { events: recalled(3) })
    await store.write(recordEvents, { events: recalled(2, 5000) })
    const entries = await entriesOf(store)
    expect(entries.map(({ number, at }) => [number, at])).toEqual([
      [1, 1000],
      [2, 1001],
      [3, 1002],
      [4, 5000],
      [5, 5001],
    ])
    expect(entries[0]).toEqual({
      ...recalled(1)[0],
      number: 1,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await store.read(auditHead)).toMatchObject({ number: 5, hash: entries[4]?.hash })
    expect(await verify(store)).toEqual({ status: 'ok', entries: 5 })
  })

  test('names with any characters keep the chain whole', async () => {
    const { store } = await open()
    const subjects = ['half \ud800', '\udc00', 'a\0b', '"\\\n', 'é', '']
    const events = subjects.map((subject) => ({ ...ADA, at: 1, event: 'e', subjectKind: 'key', subject }))
    await store.write(recordEvents, { events })
    expect(await verify(store)).toEqual({ status: 'ok', entries: subjects.length })
  })

  test('retention removes what is old from the beginning, and what remains can still be verified', async () => {
    const { store } = await open()
    await store.write(recordEvents, { events: recalled(8) })
    const before = await entriesOf(store)
    expect(await store.write(trimAudit, { upTo: 2, limit: 1000 })).toBe(2)
    expect(await store.write(trimAudit, { upTo: 6, limit: 1 })).toBe(1)
    expect(await store.write(trimAudit, { upTo: 6, limit: 1000 })).toBe(3)
    expect(await store.write(trimAudit, { upTo: 6, limit: 1000 })).toBe(0)
    expect(await store.write(trimAudit, { upTo: 1, limit: 1000 })).toBe(0)
    expect(await entriesOf(store)).toEqual(before.slice(6))
    expect(await store.read(auditHead)).toMatchObject({ removedNumber: 6, removedHash: before[5]?.hash })
    expect(await verify(store)).toEqual({ status: 'ok', entries: 2 })
    expect(await store.write(trimAudit, { upTo: 9999, limit: 1000 })).toBe(2)
    expect(await verify(store)).toEqual({ status: 'ok', entries: 0 })
    await store.write(recordEvents, { events: recalled(1) })
    expect((await entriesOf(store)).map(({ number }) => number)).toEqual([9])
    expect(await verify(store)).toEqual({ status: 'ok', entries: 1 })
  })

  test('pages show every entry once, newest first', async () => {
    const { store } = await open()
    await store.write(recordEvents, { events: recalled(11) })
    await store.write(trimAudit, { upTo: 4, limit: 1000 })
    const numbers: number[] = []
    let cursor: string | null = 'start'
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof auditPage>> = await auditPage({ store }, { cursor, limit: 3 })
      numbers.push(...page.entries.map(({ number }) => number))
      cursor = page.next_cursor
    }
    expect(numbers).toEqual([11, 10, 9, 8, 7, 6, 5])
    expect(await auditPage({ store }, { cursor: '1' })).toEqual({ entries: [], next_cursor: null })
  })

  test('a write that fails leaves no entry, and one that nobody is known to have made has none', async () => {
    const { store } = await open()
    const { nodes } = await addDocument(store, note('n'), [{ id: 'one', text: 'see it' }])
    const link = { label: 'harbour', source: '', id: '', weight: 1 }
    await expect(store.write(putLink, { sourceId: 'none', link, caller: ADA })).rejects.toThrow('not found')
    await store.write(putLink, { sourceId: nodes[0]?.id ?? '', link })
    expect(await entriesOf(store)).toEqual([])
    await store.write(putLink, { sourceId: 'one', link: { ...link, label: 'quay' }, caller: ADA })
    expect(await entriesOf(store)).toEqual([
      expect.objectContaining({ ...ADA, event: 'nodes_related', subjectKind: 'node', subject: 'one' }),
    ])
  })
}
