import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  RELATED_DIRECTIONS,
  type RelatedAnswer,
  type RelatedDirection,
} from '../../src/core/find/read/related-model.ts'
import { relatedText } from '../../src/core/find/read/related-text.ts'
import { estimateTokens } from '../../src/core/tokens.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { openIn, temporaryFolder } from '../support/engine.ts'

const HEADINGS = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon']
/** Texts with links of their own; the others are made by hand. */
const TEXTS = ['One [[Alpha; w=2]] and [[Beta]].', 'Two [[Beta; w=0.5]].', 'Three [[Alpha]], [[Gamma; w=3]].']
const COUNT = HEADINGS.length + TEXTS.length

/** Oldest first. */
async function writeNodes(memory: Memory): Promise<string[]> {
  const ids: string[] = []
  for (const payload of [...HEADINGS.map((name) => `# ${name}`), ...TEXTS])
    ids.push((await memory.write({ payload })).id)
  return ids
}

interface Graph {
  ids: string[]
  edges: { source: string; target: string; weight: number }[]
}
interface Question {
  anchor: string
  direction: RelatedDirection
  depth: number
  minWeight: number
}
interface Path {
  nodes: string[]
  sum: number
}

function neighboursOf(
  { edges }: Graph,
  { direction, minWeight }: Question,
  from: string,
): Map<string, number> {
  const best = new Map<string, number>()
  const offer = (to: string, weight: number): void => {
    if (weight >= minWeight) best.set(to, Math.max(weight, best.get(to) ?? -Infinity))
  }
  for (const { source, target, weight } of edges) {
    if (direction !== 'in' && source === from) offer(target, weight)
    if (direction !== 'out' && target === from) offer(source, weight)
  }
  return best
}

/** The definition, word for word: every path there is, the best one first. */
function walkPlainly(graph: Graph, question: Question): Map<string, Path> {
  const age = (path: Path): number => graph.ids.indexOf(path.nodes.at(-1) as string)
  const found = new Map<string, Path>()
  const fewest = new Map<string, number>()
  let waiting: Path[] = [{ nodes: [question.anchor], sum: 0 }]
  for (let path = waiting.shift(); path; path = waiting.shift()) {
    const node = path.nodes.at(-1) as string
    if ((fewest.get(node) ?? Infinity) <= path.nodes.length) continue
    fewest.set(node, path.nodes.length)
    if (!found.has(node)) found.set(node, path)
    if (path.nodes.length > question.depth) continue
    for (const [to, weight] of neighboursOf(graph, question, node))
      waiting.push({ nodes: [...path.nodes, to], sum: path.sum + weight })
    waiting = waiting.toSorted((a, b) => b.sum - a.sum || a.nodes.length - b.nodes.length || age(a) - age(b))
  }
  found.delete(question.anchor)
  return found
}

function reach(graph: Graph, question: Question): Set<string> {
  let reached = new Set([question.anchor])
  for (let hop = 0; hop < question.depth; hop++)
    reached = new Set([...reached].flatMap((id) => [id, ...neighboursOf(graph, question, id).keys()]))
  reached.delete(question.anchor)
  return reached
}

function expectPaths(graph: Graph, question: Question, { related }: RelatedAnswer): void {
  for (const { id, hop, weight, via } of related) {
    const nodes = [question.anchor, ...via.map((step) => step.id)]
    expect(nodes.at(-1)).toBe(id)
    expect(new Set(nodes).size).toBe(nodes.length)
    expect(hop).toBe(via.length)
    expect(via.reduce((sum, step) => sum + step.weight, 0)).toBe(weight)
    for (const [at, step] of via.entries()) {
      const [source, target] =
        step.direction === 'out' ? [nodes[at], nodes[at + 1]] : [nodes[at + 1], nodes[at]]
      expect(graph.edges).toContainEqual({ source, target, weight: step.weight })
      expect(neighboursOf(graph, question, nodes[at] as string).get(step.id)).toBe(step.weight)
    }
  }
}

const node = fc.nat(COUNT - 1)
/** Quarters: their sums are exact in any order. */
const weight = fc.integer({ min: -4, max: 12 }).map((quarters) => quarters / 4)
const links = fc.uniqueArray(fc.record({ source: node, target: node, weight }), {
  maxLength: 20,
  selector: ({ source, target }) => source * COUNT + target,
})
const asked = fc.record({
  anchor: node,
  direction: fc.constantFrom(...RELATED_DIRECTIONS),
  depth: fc.integer({ min: 1, max: 5 }),
  minWeight: fc.constantFrom(0, 0.5, 1, -9),
})

test('finds what is in reach, each by its best path, on any graph', async () => {
  await using memory = await openIn(temporaryFolder())
  const ids = await writeNodes(memory)
  await fc.assert(
    fc.asyncProperty(links, fc.array(asked, { minLength: 1, maxLength: 8 }), async (made, questions) => {
      await replaceRelations(memory, ids, made)
      const { edges } = await memory.graph()
      const graph = { ids, edges: edges.map(({ source, target, weight }) => ({ source, target, weight })) }
      for (const { anchor, ...others } of questions) {
        const question = { ...others, anchor: ids[anchor] as string }
        const answer = await memory.related({ ...question, budget: 0, warm: false })
        const plain = walkPlainly(graph, question)
        const found = answer.related.map(({ id, weight, via }) => ({ id, weight, hop: via.length }))
        expect(new Set(found.map(({ id }) => id))).toEqual(reach(graph, question))
        expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
          [...plain]
            .map(([id, { nodes, sum }]) => ({ id, weight: sum, hop: nodes.length - 1 }))
            .sort((a, b) => (a.id < b.id ? -1 : 1)),
        )
        for (const { id, via } of answer.related)
          expect([question.anchor, ...via.map((step) => step.id)]).toEqual(plain.get(id)?.nodes)
        expect(found).toEqual(
          found.toSorted((a, b) => b.weight - a.weight || ids.indexOf(a.id) - ids.indexOf(b.id)),
        )
        expectPaths(graph, question, answer)
      }
    }),
    { numRuns: 60 },
  )
})

test('no answer is longer than its budget, and every node is in it or counted', async () => {
  await using memory = await openIn(temporaryFolder())
  const ids = await writeNodes(memory)
  const budgets = fc.integer({ min: 50, max: 400 })
  await fc.assert(
    fc.asyncProperty(
      links,
      asked,
      budgets,
      fc.integer({ min: 1, max: 9 }),
      async (made, given, budget, limit) => {
        await replaceRelations(memory, ids, made)
        const question = { ...given, anchor: ids[given.anchor] as string, warm: false }
        const whole = await memory.related({ ...question, budget: 0 })
        const answer = await memory.related({ ...question, budget, limit })
        expect(estimateTokens(`${relatedText(answer)}\n`)).toBeLessThanOrEqual(budget)
        expect(answer.related.map(({ brief, ...node }) => node)).toEqual(
          whole.related.slice(0, answer.related.length),
        )
        // Only where there is no room for a whole node, and then for the first alone.
        if (answer.related.some(({ brief }) => brief)) expect(answer.related).toHaveLength(1)
        expect(answer.related.length + answer.leftOut).toBe(whole.related.length)
      },
    ),
    { numRuns: 40 },
  )
})

async function replaceRelations(
  memory: Memory,
  ids: string[],
  made: { source: number; target: number; weight: number }[],
): Promise<void> {
  for (const { source, target, origin } of (await memory.graph()).edges)
    if (origin === 'manual') await memory.unrelate({ sourceId: source, targetId: target })
  for (const { source, target, weight } of made)
    await memory.relate({ sourceId: ids[source] as string, targetId: ids[target] as string, weight })
}
