import type { ForestNode } from '../../src/core/observe/forest.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'

/** Where the links of a memory lead, by the text they are in: `file: label`, or null while they wait. */
export async function leads(memory: Memory): Promise<Record<string, string | null>> {
  const { nodes, edges, pending } = await memory.graph()
  const { roots } = await memory.forest()
  const shown = new Map<string, string>()
  const show = ({ id, label, children }: ForestNode, file: string): void => {
    shown.set(id, `${file}: ${label}`)
    for (const child of children) show(child, file)
  }
  for (const root of roots) show(root, root.source ?? '')
  const labels = new Map(nodes.map(({ id, label }) => [id, label]))
  return Object.fromEntries([
    ...edges.map(({ source, target }) => [labels.get(source), shown.get(target)] as const),
    ...pending.map(({ source }) => [labels.get(source), null] as const),
  ])
}
