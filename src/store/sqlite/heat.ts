/** Decay is lazy: what a node had, cooled by how far the heat clock went since. Pinned nodes keep theirs. */
export const EFFECTIVE_HEAT =
  'CASE WHEN h.pinned = 1 THEN h.value ELSE h.value * exp(h.clock - s.heat_clock) END'

const IS_LIVE = 'EXISTS (SELECT 1 FROM nodes n WHERE n.key = node_key AND n.removed_in IS NULL)'
/** What `coldness` of a row must be: what does not cool is not in the order. */
export const RIGHT_COLDNESS = `CASE WHEN pinned = 0 AND ${IS_LIVE} THEN coldness_of(value, clock) END`
