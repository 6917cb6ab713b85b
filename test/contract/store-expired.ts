import { expect, test } from 'vitest'
import { contentDigest } from '../../src/util/text/hash.ts'
import { addNodes, commit } from '../support/store-changes.ts'
import { findNode, rootsOf } from '../support/store-reads.ts'
import type { OpenEmpty } from './store.ts'

export function expiredContract(open: OpenEmpty): void {
  test('nodes of keys whose time has come are left out of what is read, unless they are asked for', async () => {
    const { store } = await open()
    for (const [key, expires_at] of [
      ['gone', 50],
      ['here', Number.MAX_SAFE_INTEGER],
    ] as const)
      await commit(store, async (tx, id) => {
        const put = { address: { kind: 'key', key } as const, text: key, digest: contentDigest(key) }
        const [row] = await tx.putDocuments([{ ...put, attributes: { expires_at } }], id)
        await addNodes(tx, id, row?.id ?? 0, [{ id: key, text: `the ${key} word` }])
      })
    const seen = (includeExpired: boolean) =>
      store.read(
        async (tx) => {
          const unit = {
            kind: 'word',
            words: ['word'],
            shown: 'word',
            isStopWord: false,
            isExcluded: false,
          } as const
          const match = { units: [{ ...unit, words: [...unit.words] }], expression: 0 }
          const { nodes, found } = await tx.postings([{ match, limit: 9 }])
          const roots = (await rootsOf(tx)).map(({ id }) => id)
          const { counters } = await tx.summary({ hot: 0.5, cold: 0.1 })
          const isFound = (await findNode(tx, 'gone')) !== undefined
          return { roots, nodes, found: found[0]?.keys.length, isFound, counted: counters.nodes }
        },
        { includeExpired },
      )
    expect(await seen(false)).toEqual({ roots: ['here'], nodes: 1, found: 1, isFound: false, counted: 1 })
    expect(await seen(true)).toEqual({
      roots: ['gone', 'here'],
      nodes: 2,
      found: 2,
      isFound: true,
      counted: 2,
    })
  })
}
