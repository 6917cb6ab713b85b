import type { WriteCaller } from '../access/principal.ts'
import { MemoryError, shown } from '../errors.ts'
import type { Heat } from '../port/heat.ts'
import type { Call, Operation, Store } from '../port/store.ts'
import { setHeat } from '../rows/heat.ts'
import { checkNodeId, getNode } from '../write/operation.ts'

/** Who pins, where clients say who they are. */
export interface PinCall extends Call {
  caller?: WriteCaller | undefined
}

/** Protects a node from cooling, at its current heat or at `temperature`. No snapshot: content does not change. */
export async function pin(
  store: Store,
  { id, temperature }: { id: string; temperature?: number },
  { caller, ...call }: PinCall = {},
): Promise<void> {
  checkNodeId(id)
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 1)) {
    throw new MemoryError('INVALID_INPUT', `temperature must be in [0, 1], got ${shown(temperature)}`)
  }
  const heat = temperature === undefined ? { pinned: true } : { pinned: true, value: temperature }
  await store.write(setNodeHeat, { id, heat, caller }, call)
}

/** Lets a node cool again. */
export async function unpin(store: Store, id: string, { caller, ...call }: PinCall = {}): Promise<void> {
  checkNodeId(id)
  await store.write(setNodeHeat, { id, heat: { pinned: false }, caller }, call)
}

interface SetHeatInput {
  id: string
  heat: Partial<Heat>
  caller?: WriteCaller | undefined
}

export const setNodeHeat: Operation<SetHeatInput, void> = {
  name: 'set-heat',
  async run(tx, { id, heat }) {
    const { key } = await getNode(tx, id)
    await setHeat(tx, [key], heat)
  },
}
