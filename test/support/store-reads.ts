import type { ReadTx } from '../../src/core/port/store.ts'

export { findNode } from '../../src/core/operation.ts'

/** Every live root, in the order of the outline. */
export async function rootsOf(tx: ReadTx) {
  return tx.outline([{ parentKey: null }], { fields: 'full', limit: Number.MAX_SAFE_INTEGER })
}
