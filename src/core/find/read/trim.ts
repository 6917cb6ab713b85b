import { utf8Length } from '../../tokens.ts'
import { mostBytes } from '../fit.ts'
import { type BlockOptions, cutNode, GAP, nodeBlock } from '../node-block.ts'
import type { LeftOut } from './fetch-model.ts'
import { leftOutLine } from './fetch-text.ts'
import type { Near } from './nearest.ts'

/** An upper bound for the size of a node as text: its indentation depends on the ancestors shown. */
export function bytesOf(near: Near): number {
  return utf8Length(nodeBlock(near.node, optionsOf(near))) + GAP.length
}

/** The same without formatting it, if there is plenty of room. */
export function mostBytesOf({ node: { text, label, path } }: Near): number {
  return mostBytes([text, label, path], 1)
}

function optionsOf({ row, node, from, isAbove, facts }: Near): BlockOptions {
  const file = from?.row.source === row.source ? undefined : row.source
  return { level: node.depth, file, facts, isPlace: isAbove }
}

/**
 * `taken` without its farthest nodes, so that they fit into `room` bytes together with the line about omitted nodes.
 * The first one stays, cut if necessary; the first that does not fit may stay in part. `sizes`: the result of `bytesOf`
 * for each.
 */
export function trim(
  taken: Near[],
  sizes: readonly number[],
  room: number,
  leftOut: (kept: number) => LeftOut,
): Near[] {
  const restFor = (kept: number): number => room - aboutBytes(leftOut(kept))
  let bytes = sizes.reduce((sum, size) => sum + size, 0)
  let count = taken.length
  for (; count > 1 && bytes > restFor(count); count--) bytes -= sizes[count - 1] as number
  const kept = taken.slice(0, count)
  if (bytes > restFor(count)) return kept.map((one) => fitAnchor(one, restFor(1)))
  const edge = taken[count]
  const part = edge && fitPart(edge, restFor(count + 1) - bytes)
  return part ? [...kept, part] : kept
}

function fitAnchor(near: Near, room: number): Near {
  const { node } = near
  return fitPart(near, room) ?? { ...near, node: { ...node, text: '', cut: node.tokens, brief: true } }
}

function fitPart(near: Near, room: number): Near | undefined {
  const node = cutNode(near.node, room - GAP.length, optionsOf(near))
  return node && { ...near, node }
}

function aboutBytes(leftOut: LeftOut): number {
  const line = leftOutLine(leftOut)
  return line === '' ? 0 : utf8Length(line) + GAP.length
}
