/** Heat of a node nobody has read yet. */
export const INITIAL_HEAT = 0.5

/** Where a node stands in the order of heat, which time does not change. Stone-cold nodes come first. */
export function coldnessOf(value: number, clock: number): number {
  return value > 0 ? Math.log(value) + clock : Number.NEGATIVE_INFINITY
}
