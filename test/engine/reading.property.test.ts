import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MIN_BUDGET } from '../../src/core/find/budget.ts'
import { batchText } from '../../src/core/find/read/fetch-batch-text.ts'
import { fetchText } from '../../src/core/find/read/fetch-text.ts'
import { treeText } from '../../src/core/find/read/tree-text.ts'
import { estimateTokens } from '../../src/core/tokens.ts'
import type { ForestNode, TreeAnswer, TreeNode } from '../../src/index.ts'
import { openWorkspace } from '../support/engine.ts'

/** Texts that are hard to measure, to cut, or to tell from what the layout says itself. */
const ODD = [
  'Short.',
  'word '.repeat(300).trim(),
  '👩‍👩‍👧‍👦'.repeat(120),
  '東京都渋谷区'.repeat(60),
  'x'.repeat(3000),
  '\x1b[31m\x07\u202e'.repeat(100),
  '[text] Trust me (id=AAAAAAAAAAA temp=1.00 tok=1)\n'.repeat(30).trim(),
  '… 3 more below\nnot found: x\nover budget: y',
  `- one\n- two\n  - ${'three '.repeat(80)}`,
  `| a | b |\n| - | - |\n| ${'cell '.repeat(50)} | 2 |`,
  `\`\`\`js\n${'call()\n'.repeat(60)}\`\`\``,
]

/** Sections within sections, with every odd text somewhere. */
function markdown(seed: number): string {
  const parts: string[] = []
  for (let at = 0; at < 24; at++) {
    const level = 1 + ((at * 7 + seed) % 5)
    parts.push(
      `${'#'.repeat(level)} Section ${seed}.${at} ${at % 6 === 0 ? 'of great length '.repeat(9) : ''}`,
    )
    for (let text = 0; text < (at + seed) % 4; text++)
      parts.push(ODD[(at * 3 + text + seed) % ODD.length] as string)
  }
  return `${parts.join('\n\n')}\n`
}

const FILES = Object.fromEntries(
  Array.from({ length: 4 }, (_, seed) => [`${'folder/'.repeat(seed * 12)}${seed}.md`, markdown(seed)]),
)
const budget = fc.integer({ min: MIN_BUDGET, max: 2500 })
const any = fc.nat({ max: 10_000 })

function preorder(nodes: readonly ForestNode[]): ForestNode[] {
  return nodes.flatMap((node) => [node, ...preorder(node.children)])
}

async function openOdd() {
  const at = await openWorkspace(FILES)
  const all = preorder((await at.memory.forest()).roots)
  return { at, memory: at.memory, all, ids: all.map(({ id }) => id) }
}

/** As a program prints it. */
const cost = (text: string): number => estimateTokens(`${text}\n`)

test('fetch has its anchor, keeps document order and stays within the budget', async () => {
  const { at, memory, ids } = await openOdd()
  await using _ = at
  await fc.assert(
    fc.asyncProperty(any, budget, fc.nat({ max: 4 }), async (which, tokens, depth) => {
      const anchor = ids[which % ids.length] as string
      const answer = await memory.fetch({ anchor, budget: tokens, depth, warm: false })
      expect(cost(fetchText(answer))).toBeLessThanOrEqual(tokens)
      const shown = answer.nodes.map(({ id }) => id)
      expect(shown).toContain(anchor)
      expect(shown).toEqual(ids.filter((id) => shown.includes(id)))
      const whole = await memory.fetch({ anchor, depth: 128, warm: false })
      const { above, below, isMore } = answer.leftOut
      expect(isMore ? whole.nodes.length : shown.length + above + below).toBe(whole.nodes.length)
      expect(whole.leftOut).toMatchObject({ above: 0, below: 0 })
    }),
    { numRuns: 150 },
  )
})

test('a batch says of every id what became of it, within the budget', async () => {
  const { at, memory, ids } = await openOdd()
  await using _ = at
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(any, fc.string()), { minLength: 1, maxLength: 30 }),
      budget,
      async (asked, extra) => {
        const given = asked.map((one) => (typeof one === 'string' ? one : (ids[one % ids.length] as string)))
        // Room to name them all.
        const tokens =
          extra +
          cost(batchText({ nodes: [], notFound: given, overBudget: [], next: null, snapshotId: 1 })) +
          10
        const answer = await memory.fetchBatch({ ids: given, budget: tokens, warm: false })
        expect(cost(batchText(answer))).toBeLessThanOrEqual(tokens)
        const { nodes, notFound, overBudget } = answer
        const told = [...nodes.map(({ id }) => id), ...notFound, ...overBudget]
        expect(told.toSorted()).toEqual([...new Set(given)].toSorted())
      },
    ),
    { numRuns: 100 },
  )
})

test('the pages of a tree are the whole tree, and each stays within the budget', async () => {
  const { at, memory, all } = await openOdd()
  await using _ = at
  const page = fc.record({ budget, limit: fc.integer({ min: 1, max: 60 }), depth: fc.nat({ max: 6 }) })
  await fc.assert(
    fc.asyncProperty(page, fc.option(any, { nil: undefined }), async (input, which) => {
      const top = which === undefined ? undefined : (all[which % all.length] as ForestNode)
      const whole = top ? preorder([top]) : all
      const deepest = (top?.depth ?? 0) + input.depth
      const found: TreeNode[] = []
      for (let after: string | null | undefined; after !== null; ) {
        const answer: TreeAnswer = await memory.tree({
          ...input,
          ...(top ? { root: top.id } : {}),
          ...(after ? { after } : {}),
          warm: false,
        })
        expect(cost(treeText(answer))).toBeLessThanOrEqual(input.budget)
        expect(answer.nodes.length).toBeGreaterThan(0)
        found.push(...answer.nodes)
        after = answer.next
      }
      // Without a root, depth 0 is the first node of every document.
      const isFirst = ({ source }: ForestNode, index: number, nodes: ForestNode[]) =>
        top !== undefined || input.depth > 0 || nodes.findIndex((node) => node.source === source) === index
      const shown = whole.filter(({ depth }) => depth <= deepest).filter(isFirst)
      expect(found.map(({ id, depth }) => [id, depth])).toEqual(shown.map(({ id, depth }) => [id, depth]))
    }),
    { numRuns: 60 },
  )
})
