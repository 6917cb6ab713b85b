import type { NodeName } from '../../core/port/heat.ts'
import type { Temperature } from '../settings/temperature.ts'
import type { Warmer } from './warmer.ts'

/** The result of a reading operation: its answer, and which nodes are in it. */
export interface Reading {
  read: readonly NodeName[]
}

export interface ReadOptions {
  /** Whether the returned nodes get warmer. Default: true. */
  warm?: boolean
}

/** Read, or only shown in a tree. */
export type ReadKind = 'read' | 'tree'

/**
 * Returns the answer of a read and warms its nodes, without a wait; a failure to warm is ignored. Reading the past never warms.
 */
export type Warmed = <T extends Reading>(
  reading: Promise<T>,
  options?: ReadOptions,
  by?: ReadKind,
) => Promise<Omit<T, 'read'>>

export function createWarmed({
  warmer,
  temperature,
}: {
  warmer: Pick<Warmer, 'warm'>
  temperature: () => Temperature
}): Warmed {
  return async (reading, options, by = 'read') => {
    const { read, ...answer } = await reading
    const isPast = 'readAt' in answer && answer.readAt !== undefined
    if (options?.warm !== false && !isPast) void warmer.warm(read, boostOf(temperature(), by))
    return answer
  }
}

export function boostOf({ accessBoost, treeBoost }: Temperature, by: ReadKind): number {
  return by === 'read' ? accessBoost : treeBoost
}
