import { utf8Length } from '../tokens.ts'
import type { FetchedNode, LeftOut } from './fetch-model.ts'
import { leftOutLine } from './fetch-text.ts'
import type { Near } from './nearest.ts'
import { cutNode, GAP, nodeBlock } from './node-block.ts'

/** A node that is to be shown. */
export interface Taken {
  near: Near
  node: FetchedNode
  /** What its line says besides. */
  facts: string | undefined
  /** What it takes of the answer as text, at most: how deep it will stand depends on what is shown above it. */
  readonly bytes: number
}

/** Its bytes are counted when somebody asks: without a budget nobody does. */
export function toTaken(near: Near, node: FetchedNode, facts?: string): Taken {
  let bytes: number | undefined
  return {
    near,
    node,
    facts,
    get bytes() {
      bytes ??= utf8Length(nodeBlock(node, { ...optionsOf(near), facts })) + GAP.length
      return bytes
    },
  }
}

function optionsOf({ row, depth, from }: Near): { level: number; file: string | undefined } {
  return { level: depth, file: from?.row.source === row.source ? undefined : row.source }
}

/**
 * `taken` without its farthest nodes, so that they fit into `room` bytes together with the line about what is left out
 * when so many are kept. The first one stays, cut where it must be; the first that has to go may stay in part.
 */
export function trim(taken: Taken[], room: number, leftOut: (kept: number) => LeftOut): Taken[] {
  if (room === Number.POSITIVE_INFINITY) return taken
  const restFor = (kept: number): number => room - aboutBytes(leftOut(kept))
  let bytes = taken.reduce((sum, one) => sum + one.bytes, 0)
  let count = taken.length
  for (; count > 1 && bytes > restFor(count); count--) bytes -= (taken[count - 1] as Taken).bytes
  const kept = taken.slice(0, count)
  if (bytes > restFor(count)) return kept.map((one) => fitAnchor(one, restFor(1)))
  const edge = taken[count]
  const part = edge && fitPart(edge, restFor(count + 1) - bytes)
  return part ? [...kept, part] : kept
}

function fitAnchor(one: Taken, room: number): Taken {
  const { near, node, facts } = one
  return fitPart(one, room) ?? toTaken(near, { ...node, text: '', cut: node.tokens, brief: true }, facts)
}

function fitPart({ near, node, facts }: Taken, room: number): Taken | undefined {
  const part = cutNode(node, room - GAP.length, { ...optionsOf(near), facts })
  return part && toTaken(near, part, facts)
}

function aboutBytes(leftOut: LeftOut): number {
  const line = leftOutLine(leftOut)
  return line === '' ? 0 : utf8Length(line) + GAP.length
}
