import type { NodeState } from './model.ts'

/** A fast 64-bit hash of a text; `util/text/hash.ts` implements it. */
export type Hash64 = (text: string) => bigint

/**
 * A node's share of the state digest. The digest of a memory is the sum of all shares modulo 2^64: a change costs only
 * the changed nodes, and equal nodes in equal places give the same digest.
 */
export function nodeMark(
  hash: Hash64,
  id: string,
  parentId: string | null,
  state: Omit<NodeState, 'parentKey'>,
): bigint {
  const { position, type, format, label, digest, links } = state
  const said = `${position}\0${type}\0${format}\0${label ?? ''}\0${digest}${links === null ? '' : `\0${links}`}`
  return hash(`${id}\0${parentId ?? ''}\0${said}`)
}
