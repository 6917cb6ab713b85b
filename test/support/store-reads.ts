import type { ReadTx } from '../../src/core/port/store.ts'

export { findNode } from '../../src/core/write/operation.ts'

/** Those of `ids` that a node has, or had. */
export async function usedIds(tx: ReadTx, ids: string[]): Promise<string[]> {
  return (await tx.nodes({ ids, removed: true }, 'id')).map(({ id }) => id)
}

/** Every live root, in the order of the outline. */
export async function rootsOf(tx: ReadTx) {
  return tx.outline([{ parentKey: null }], { fields: 'full', limit: Number.MAX_SAFE_INTEGER })
}
