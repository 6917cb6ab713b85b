import type { ForestNode } from '../../core/forest.ts'
import type { Palette } from '../../util/terminal-color.ts'
import { printable } from '../../util/terminal-text.ts'

interface Placed {
  node: ForestNode
  level: number
  /** Of the parent: a source is only shown where it changes. */
  source: string
}

/** One line a node, in document order: `[list] Groceries (id=25FHWVYdid1 file=a.md temp=0.35 tok=31)`. */
export function* treeLines(roots: readonly ForestNode[], palette: Palette): Generator<string> {
  const waiting: Placed[] = []
  const add = (nodes: readonly ForestNode[], level: number, source: string): void => {
    for (let at = nodes.length - 1; at >= 0; at--)
      waiting.push({ node: nodes[at] as ForestNode, level, source })
  }
  add(roots, 0, '')
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield treeLine(next, palette)
    add(next.node.children, next.level + 1, next.node.source)
  }
}

function treeLine({ node, level, source }: Placed, palette: Palette): string {
  const file = node.source === source ? '' : ` file=${printable(node.source)}`
  const heat = palette.heat(`temp=${node.temperature.toFixed(2)}`, node.temperature)
  const details = `${palette.dim(`(id=${node.id}${file} `)}${heat}${palette.dim(` tok=${node.tokens})`)}`
  return `${'  '.repeat(level)}${palette.cyan(`[${node.type}]`)} ${printable(node.label)} ${details}`
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
