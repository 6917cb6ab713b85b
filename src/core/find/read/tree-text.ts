import { plural } from '../../../util/text/units.ts'
import { escapeNodeName } from '../../answer-lines.ts'
import { nextLine, nodeLine } from '../node-line.ts'
import { type Paint, PLAIN } from '../paint.ts'
import { MAX_HIDDEN, type TreeAnswer, type TreeNode } from './tree-model.ts'

/** For nodes that are not headings: the headings above them say what they are about. */
const LABEL_BYTES = 28

export interface TreeTextOptions {
  paint?: Paint
  /** How to request the page after `next`. */
  more?: (next: string) => string
}

/** The text of a `tree` answer: one line per node. Without a final line feed. */
export function treeText(
  answer: TreeAnswer,
  { paint = PLAIN, more = moreLine }: TreeTextOptions = {},
): string {
  const { nodes, topDepth, under, next, nextInDocument } = answer
  if (nodes.length === 0) return 'empty tree'
  return [
    ...(under ? [paint.dim(underLine(under))] : []),
    ...nodes.map(createTreeLine(topDepth, paint)),
    ...(next === null ? [] : [paint.dim(more(next))]),
    ...(nextInDocument ? [paint.dim(nextLine(nextInDocument))] : []),
  ].join('\n')
}

/** Formats nodes in document order: the file is shown where it changes. */
export function createTreeLine(topDepth: number, paint: Paint = PLAIN): (node: TreeNode) => string {
  /** The path of the last node at each level: the parent of a node is the last one above it. */
  const paths: string[] = []
  return (node) => {
    const { depth, path, brief } = node
    const level = depth - topDepth
    const file = level > 0 && paths[level - 1] === path ? undefined : path
    // A page may begin in the middle of a file: the ancestors of its first node are in the same one.
    for (let above = paths.length; above < level; above++) paths[above] = path
    paths[level] = path
    const line = nodeLine(node, { level, file, brief, labelBytes: LABEL_BYTES, paint })
    return node.hidden ? `${line}${paint.dim(hiddenWords(node.hidden, node.isBeside))}` : line
  }
}

function hiddenWords(hidden: number, isBeside = false): string {
  const noun = isBeside ? 'more node' : 'node'
  const count = hidden < MAX_HIDDEN ? plural(hidden, noun) : `${MAX_HIDDEN}+ ${noun}s`
  return ` … ${count} ${isBeside ? 'in this document' : 'below'}`
}

export function underLine({ id, label }: { id: string; label: string }): string {
  return `… under ${escapeNodeName(label)} (id=${id})`
}

export function moreLine(next: string): string {
  return `… more: after=${next}`
}
