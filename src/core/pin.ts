import { MemoryError, shown } from './errors.ts'
import { getNode } from './operation.ts'
import type { Store } from './port/store.ts'

/** Protects a node from cooling, at its present heat or at `temperature`. No snapshot: nothing it says changes. */
export async function pin(
  store: Store,
  { id, temperature }: { id: string; temperature?: number },
): Promise<void> {
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 1)) {
    throw new MemoryError('INVALID_INPUT', `temperature must be in [0, 1], got ${shown(temperature)}`)
  }
  await store.write(async (tx) => {
    const { key } = await getNode(tx, id)
    await tx.setHeat(
      [key],
      temperature === undefined ? { pinned: true } : { pinned: true, value: temperature },
    )
  })
}

/** Lets a node cool again. */
export async function unpin(store: Store, id: string): Promise<void> {
  await store.write(async (tx) => {
    const { key } = await getNode(tx, id)
    await tx.setHeat([key], { pinned: false })
  })
}
