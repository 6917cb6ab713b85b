import { printable } from '../../../util/text/printable.ts'
import { splitPlace } from '../../cursor-parts.ts'
import { GAP, nodeBlock } from '../node-block.ts'
import { type Paint, PLAIN } from '../paint.ts'
import type { FetchBatchAnswer } from './fetch-model.ts'
import { snapshotFact } from './fetch-text.ts'

/** The text of a `fetchBatch` answer, without a final line feed. */
export function batchText(answer: FetchBatchAnswer, paint: Paint = PLAIN): string {
  const { nodes, notFound, overBudget, next, snapshotId } = answer
  const blocks = nodes.map((node, at) => {
    const file = nodes[at - 1]?.path === node.path ? undefined : node.path
    const facts = at === 0 ? snapshotFact(snapshotId) : undefined
    return nodeBlock(node, { file, facts, paint })
  })
  const rest = next === null ? '' : `… rest: MemoryFetch id=${splitPlace(next).name} after=${next}`
  const lists = [rest, listLine('not found', notFound), listLine('over budget', overBudget)]
  const all = [...blocks, ...lists.filter(Boolean).map((line) => paint.dim(line))]
  return all.length === 0 ? 'no results' : all.join(GAP)
}

function listLine(name: string, ids: readonly string[]): string {
  return ids.length === 0 ? '' : `${name}: ${ids.map(printable).join(', ')}`
}
