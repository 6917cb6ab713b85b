import type { Call, OperationTools, Store, WriteTx } from '../../src/core/port/store.ts'

/** Runs what a test brings as an operation: for stores that run operations in place. */
export function writing<T>(
  store: Pick<Store, 'write'>,
  run: (tx: WriteTx, tools: OperationTools) => Promise<T>,
  call?: Call,
): Promise<T> {
  return store.write({ name: 'test', run: (tx, _, tools) => run(tx, tools) }, undefined, call)
}
