import { expect, test } from 'vitest'
import { storeFacts } from '../../src/core/compile/publish-files.ts'
import { erase } from '../../src/core/history/erase.ts'
import type { FileFacts } from '../../src/core/port/file-facts.ts'
import { deleteFileFacts, putFileFacts } from '../../src/core/rows/file-facts.ts'
import { rootDocuments } from '../../src/core/write/documents.ts'
import { addDocument, hash, source, withoutSnapshot } from '../support/store-changes.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

const FACTS: FileFacts = {
  path: 'a.md',
  sizeBytes: 2 ** 40,
  modifiedAt: 1_790_000_000_123_456,
  changedAt: -1,
  inode: '18446744073709551615',
  scannedAt: 1_790_000_000_124,
  digest: '0123456789abcdef0123456789abcdef',
  parser: '1 markdown 1000',
  failure: null,
}
const FAILED: FileFacts = { ...FACTS, path: 'b/ü.md', failure: { line: null, reason: 'no' } }

export function fileContract(open: OpenEmpty): void {
  test('come back as they were put, in order, each root by itself', async () => {
    const { store } = await open()
    await writing(store, async (tx) => {
      await putFileFacts(tx, '.', [FAILED, FACTS])
      await putFileFacts(tx, '/elsewhere', [{ ...FACTS, failure: { line: 7, reason: 'odd' } }])
    })
    expect(await store.read((tx) => tx.listFileFacts('.'))).toEqual([FACTS, FAILED])
    const [other] = await store.read((tx) => tx.listFileFacts('/elsewhere'))
    expect(other?.failure).toEqual({ line: 7, reason: 'odd' })
    expect(await store.read((tx) => tx.listFileFacts('/nowhere'))).toEqual([])
  })

  test('are replaced by newer ones and deleted by name', async () => {
    const { store } = await open()
    const newer = { ...FAILED, scannedAt: FAILED.scannedAt + 1, failure: null }
    await writing(store, async (tx) => {
      await putFileFacts(tx, '.', [FACTS, FAILED])
      await putFileFacts(tx, '.', [newer])
      await putFileFacts(tx, '/elsewhere', [FACTS])
      await deleteFileFacts(tx, '.', ['a.md', 'never.md'])
      await deleteFileFacts(tx, '.', [])
    })
    expect(await store.read((tx) => tx.listFileFacts('.'))).toEqual([newer])
    expect(await store.read((tx) => tx.listFileFacts('/elsewhere'))).toEqual([FACTS])
  })

  test('are not kept of a document that was erased', async () => {
    const engine = await open()
    const { store } = engine
    const address = source('a.md', '.')
    await addDocument(store, address, [{ id: 'root', text: 'secret' }])
    await writing(store, (tx) => putFileFacts(tx, '.', [FACTS, FAILED]))
    const deps = { ...engine, hash, now: () => 1, author: 'tester', redact: (text: string) => text }
    await erase(deps, address)
    expect(await store.read((tx) => tx.listFileFacts('.'))).toEqual([FAILED])
    await writing(store, (tx, tools) =>
      storeFacts.run(tx, { root: '.', facts: { put: [FACTS], delete: [] } }, tools),
    )
    expect(await store.read((tx) => tx.listFileFacts('.'))).toEqual([FAILED])
  })

  test('go with the transaction that failed', async () => {
    const { store } = await open()
    const failed = writing(store, async (tx) => {
      await putFileFacts(tx, '.', [FACTS])
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await store.read((tx) => tx.listFileFacts('.'))).toEqual([])
  })

  test('facts and documents of a scope are those below it, and no others', async () => {
    const { store } = await open()
    const paths = ['a', 'a-b.md', 'a.md', 'a/b.md', 'a/b/c.md', 'a0', 'b.md']
    await writing(store, async (tx) => {
      await putFileFacts(
        tx,
        '.',
        paths.map((path) => ({ ...FACTS, path })),
      )
      for (const path of paths)
        await withoutSnapshot(tx).putDocuments(
          [{ address: { kind: 'source', root: '.', path }, digest: FACTS.digest, text: null }],
          null,
        )
    })
    for (const [scope, expected] of [
      ['a', ['a', 'a/b.md', 'a/b/c.md']],
      ['a/b', ['a/b/c.md']],
      ['a.md', ['a.md']],
      ['c', []],
    ] as const) {
      await store.read(async (tx) => {
        expect((await tx.listFileFacts('.', scope)).map(({ path }) => path)).toEqual(expected)
        const rows = await rootDocuments(tx, '.', scope)
        expect(rows.map(({ address }) => (address.kind === 'source' ? address.path : ''))).toEqual(expected)
      })
    }
  })
}
