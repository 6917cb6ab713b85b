import type { Memory } from '../../src/index.ts'

/** A node that is there, and words that find it. */
export async function questionFor(memory: Memory): Promise<{ id: string; query: string }> {
  const { nodes } = await memory.tree({ depth: 2, limit: 20, warm: false })
  const node = nodes.find(({ type }) => type === 'heading') ?? nodes[0]
  if (!node) throw new Error('the memory of the bench is empty')
  const query = nodes.find(({ type }) => type === 'text')?.label ?? node.label
  return { id: node.id, query }
}
