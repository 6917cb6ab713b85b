/** Heat of a node that was never read. */
export const INITIAL_HEAT = 0.5

/** The place of a node in the order of heat, which does not change with time. Stone-cold nodes come first. */
export function coldnessOf(value: number, clock: number): number {
  return value > 0 ? Math.log(value) + clock : Number.NEGATIVE_INFINITY
}
