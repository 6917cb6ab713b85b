import { nodeLine } from '../../core/find/node-line.ts'
import type { ForestNode } from '../../core/observe/forest.ts'
import type { Palette } from '../../util/terminal/color.ts'
import { paintOf } from './paint.ts'

interface Placed {
  node: ForestNode
  level: number
  /** Of the parent: a source is only shown if it differs. */
  source: string
}

/** One line a node, in document order. */
export function* treeLines(roots: readonly ForestNode[], palette: Palette): Generator<string> {
  const paint = paintOf(palette)
  const waiting: Placed[] = []
  const add = (nodes: readonly ForestNode[], level: number, source: string): void => {
    for (let at = nodes.length - 1; at >= 0; at--)
      waiting.push({ node: nodes[at] as ForestNode, level, source })
  }
  add(roots, 0, '')
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, level, source: above } = next
    yield nodeLine(node, { level, file: node.source === above ? undefined : node.source, paint })
    add(node.children, level + 1, node.source)
  }
}

export function countNodes(roots: readonly ForestNode[]): number {
  const waiting = [...roots]
  let count = 0
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    count++
    for (const child of node.children) waiting.push(child)
  }
  return count
}
