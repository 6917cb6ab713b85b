import type { NodeName } from '../../port/heat.ts'
import type { AsOf, MaybePast } from '../../port/history.ts'
import type { Store } from '../../port/store.ts'
import { totalOf } from '../../write/documents.ts'
import { tree } from '../read/tree.ts'
import type { TreeAnswer } from '../read/tree-model.ts'
import { LEAST_MAP, MAP_BUDGET, memoryMap } from './map.ts'
import type { MemoryMap } from './map-model.ts'

export interface FirstLookInput extends AsOf {
  /** Levels of the outline, as in `tree`. */
  depth?: number
  /** Tokens of the answer. If it is more than 500, an outline may use all of it. */
  budget?: number
}

/** The whole outline if it is small, or a map. */
export type FirstLook = MaybePast & {
  /** Files on disk that have nodes. */
  files: number
} & ({ kind: 'outline'; outline: TreeAnswer } | { kind: 'map'; map: MemoryMap })

/** What to show of an unknown memory: the outline if it is small, otherwise a map. */
export async function firstLook(
  store: Pick<Store, 'read'>,
  { depth, budget }: FirstLookInput = {},
): Promise<FirstLook & { read: NodeName[] }> {
  const levels = depth === undefined ? {} : { depth }
  const { count: files } = await store.read((tx) => totalOf(tx, { kind: 'source', hasNodes: true }))
  const outlineWithin = async (tokens: number) => {
    const { read, ...outline } = await tree(store, { ...levels, budget: tokens })
    return { kind: 'outline' as const, files, outline, read }
  }
  const whole = await outlineWithin(Math.max(budget ?? 0, MAP_BUDGET))
  const isSmall = whole.outline.next === null
  // A small outline with a smaller budget or depth comes in pages, and so does any outline if a map does not fit.
  if (budget && budget < (isSmall ? MAP_BUDGET : LEAST_MAP)) return outlineWithin(budget)
  if (isSmall) return whole
  const map = await memoryMap(store, budget ? { budget } : {})
  return { kind: 'map', files, map, read: [] }
}
