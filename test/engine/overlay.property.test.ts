import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TreeNode } from '../../src/core/tree.ts'
import {
  expectSound,
  flat,
  openWorkspace,
  type StateNode,
  stateOf,
  textOf,
  type Workspace,
} from '../support/engine.ts'
import { createNames, RUNS, type Source, sources, toMarkdown } from '../support/engine-documents.ts'

const AGENT = ['write', 'summarize', 'reparent', 'cascade'] as const
const FILE = ['insert', 'edit', 'delete', 'move', 'level'] as const

interface Step {
  operation: (typeof AGENT)[number] | (typeof FILE)[number]
  pick: number
  other: number
  kind: Source['kind']
  level: number
}

const steps = fc.array(
  fc.record<Step>({
    operation: fc.constantFrom(...AGENT, ...FILE),
    pick: fc.nat({ max: 1000 }),
    other: fc.nat({ max: 1000 }),
    kind: fc.constantFrom('heading', 'text', 'list', 'code', 'table'),
    level: fc.integer({ min: 1, max: 4 }),
  }),
  { minLength: 3, maxLength: 12 },
)

/** What the file says, and what agents made of it, by the names of the blocks. */
interface Expected {
  blocks: Source[]
  texts: Map<string, string>
  gone: Set<string>
}

/** The outline of a file as a fresh memory has it, with the agents' edits applied by hand. */
async function expectedOutline(fresh: Workspace, path: string, { texts, gone }: Expected): Promise<string[]> {
  const show = (nodes: readonly StateNode[], indent: string): string[] =>
    nodes.flatMap(({ text, children }) => {
      const name = nameIn(text)
      if (gone.has(name)) return show(children, indent)
      return [indent + (texts.get(name) ?? text), ...show(children, `${indent}  `)]
    })
  const { roots } = await fresh.memory.tree()
  return show(
    await withTexts(
      fresh,
      roots.filter(({ source }) => source === path),
    ),
    '',
  )
}

async function withTexts({ memory }: Workspace, nodes: readonly TreeNode[]): Promise<StateNode[]> {
  return Promise.all(
    nodes.map(async ({ id, type, label, children }) => {
      const text = await textOf(memory, id)
      return { id, type, label, text, children: await withTexts({ memory } as Workspace, children) }
    }),
  )
}

function nameIn(text: string): string {
  return /[a-z]+\d+ [a-z]+ [a-z]+\d+/.exec(text)?.[0] ?? ''
}

function outline(nodes: readonly StateNode[], indent = ''): string[] {
  return nodes.flatMap(({ text, children }) => [indent + text, ...outline(children, `${indent}  `)])
}

test(
  'what agents made of a file stays through every change that is not under it',
  async () => {
    await using at = await openWorkspace()
    await using fresh = await openWorkspace()
    const name = createNames()
    let file = 0
    await fc.assert(
      fc.asyncProperty(sources, steps, async (unnamed, history) => {
        const path = `run/${file++}.md`
        const expected: Expected = {
          blocks: unnamed.map((block) => ({ ...block, name: name() })),
          texts: new Map(),
          gone: new Set(),
        }
        const compile = async () => {
          at.file(path, toMarkdown(expected.blocks))
          return at.memory.compile(join(at.folder, path))
        }
        const look = async (): Promise<StateNode[]> => {
          const { roots } = await at.memory.tree()
          return withTexts(
            at,
            roots.filter(({ source }) => source === path),
          )
        }
        await compile()
        const ids = new Map(flat(await look()).map(({ id, text }) => [nameIn(text), id]))
        for (const step of history) {
          const live = flat(await look())
          const node = live[step.pick % Math.max(1, live.length)]
          const named = node && ([...ids].find(([, id]) => id === node.id)?.[0] as string)
          if (step.operation === 'write' || step.operation === 'summarize') {
            if (!node || !named) continue
            const text = `Agent text ${step.other % 7} for ${node.id}.`
            if (step.operation === 'write') await at.memory.write({ anchor: node.id, payload: text })
            else await at.memory.summarize({ id: node.id, summary: text })
            expected.texts.set(named, text)
          } else if (step.operation === 'reparent' || step.operation === 'cascade') {
            if (!node || !named) continue
            await at.memory.forget({ id: node.id, mode: step.operation })
            const doomed = step.operation === 'cascade' ? flat([node]) : [node]
            for (const { id } of doomed) {
              const found = [...ids].find((one) => one[1] === id)?.[0] as string
              expected.gone.add(found)
              expected.texts.delete(found)
            }
          } else {
            const conflict = changeFile(expected, step, name)
            const result = await compile()
            const nodeId = conflict === undefined ? undefined : ids.get(conflict)
            expect(result.conflicts.map((one) => one.nodeId)).toEqual(nodeId ? [nodeId] : [])
          }
          fresh.file(path, toMarkdown(expected.blocks))
          await fresh.memory.compile(join(fresh.folder, path))
          const now = await look()
          expect(outline(now)).toEqual(await expectedOutline(fresh, path, expected))
          for (const { id, text } of flat(now)) {
            if (nameIn(text) !== '' && !ids.has(nameIn(text))) ids.set(nameIn(text), id)
          }
          expect((await at.memory.doctor()).checks.filter(({ status }) => status !== 'pass')).toEqual([])
        }
      }),
      { numRuns: 40 * RUNS, interruptAfterTimeLimit: 45_000 * RUNS },
    )
    await expectSound(at.memory)
    expect((await stateOf(at.memory)).length).toBeGreaterThan(0)
  },
  60_000 * RUNS,
)

/** Changes the file; the name of the block whose edit by an agent that overrules, if there was one. */
function changeFile(expected: Expected, step: Step, name: () => string): string | undefined {
  const { blocks, texts, gone } = expected
  const from = step.pick % Math.max(1, blocks.length)
  const block = blocks[from]
  if (!block || step.operation === 'insert') {
    const { kind, level } = step
    expected.blocks = blocks.toSpliced(step.other % (blocks.length + 1), 0, {
      kind,
      level,
      name: name(),
      edition: 0,
    })
    return undefined
  }
  if (step.operation === 'move') {
    expected.blocks = blocks.toSpliced(from, 1).toSpliced(step.other % blocks.length, 0, block)
    return undefined
  }
  if (step.operation === 'level') {
    expected.blocks = blocks.with(from, { ...block, level: step.level })
    return undefined
  }
  if (step.operation === 'edit') {
    expected.blocks = blocks.with(from, { ...block, edition: block.edition + 1 })
    const isOverruled = texts.delete(block.name) || gone.delete(block.name)
    return isOverruled ? block.name : undefined
  }
  expected.blocks = blocks.toSpliced(from, 1)
  gone.delete(block.name)
  return texts.delete(block.name) ? block.name : undefined
}
