/** Decay is lazy: what a node had, cooled by how far the heat clock went since. Pinned nodes keep theirs. */
export const EFFECTIVE_HEAT =
  'CASE WHEN h.pinned = 1 THEN h.value ELSE h.value * exp(h.clock - s.heat_clock) END'
