import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CompileResult } from '../../src/core/compile/compile.ts'
import {
  expectSound,
  flat,
  openWorkspace,
  outline,
  type StateNode,
  stateOf,
  type Workspace,
} from '../support/engine.ts'
import { createNames, nameIn, RUNS, type Source, sources, toMarkdown } from '../support/engine-documents.ts'

const AGENT = ['write', 'summarize', 'reparent', 'cascade'] as const
const FILE = ['insert', 'edit', 'delete', 'move', 'level'] as const

interface Step {
  operation: (typeof AGENT)[number] | (typeof FILE)[number]
  /** Choose a block, a node, a place: by remainder. */
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

/** One file in a memory that agents edit, and the same file in one that nobody touches. */
class Edited {
  readonly at: Workspace
  readonly fresh: Workspace
  readonly path: string
  readonly newName: () => string
  blocks: Source[]
  /** What agents made of blocks, by name. */
  readonly texts = new Map<string, string>()
  readonly gone = new Set<string>()
  /** Names by id: a text that an agent wrote has none. */
  readonly names = new Map<string, string>()

  constructor(
    workspaces: { at: Workspace; fresh: Workspace },
    path: string,
    newName: () => string,
    blocks: Source[],
  ) {
    this.at = workspaces.at
    this.fresh = workspaces.fresh
    this.path = path
    this.newName = newName
    this.blocks = blocks
  }

  async compile(): Promise<CompileResult> {
    for (const { file } of [this.at, this.fresh]) file(this.path, toMarkdown(this.blocks))
    await this.fresh.memory.compile(join(this.fresh.folder, this.path))
    return this.at.memory.compile(join(this.at.folder, this.path))
  }

  async run(step: Step): Promise<void> {
    if ((FILE as readonly string[]).includes(step.operation)) await this.changeFile(step)
    else await this.edit(step)
    await this.check()
  }

  async edit({ operation, pick, other }: Step): Promise<void> {
    const { memory } = this.at
    const live = flat(await stateOf(memory))
    const node = live[pick % Math.max(1, live.length)]
    if (!node) return
    const { id } = node
    const text = `Agent text ${other % 7} for ${id}.`
    if (operation === 'write') await memory.write({ anchor: id, payload: text })
    if (operation === 'summarize') await memory.summarize({ id, summary: text })
    if (operation === 'write' || operation === 'summarize') {
      this.texts.set(this.names.get(id) as string, text)
      return
    }
    await memory.forget({ id, mode: operation === 'cascade' ? 'cascade' : 'reparent' })
    for (const doomed of operation === 'cascade' ? flat([node]) : [node]) {
      const name = this.names.get(doomed.id) as string
      this.gone.add(name)
      this.texts.delete(name)
    }
  }

  /** The file wins over an edit of the block it changes, and says so; over no other. */
  async changeFile(step: Step): Promise<void> {
    const from = step.pick % Math.max(1, this.blocks.length)
    const block = this.blocks[from]
    this.blocks = changed(this.blocks, from, step, this.newName)
    let isOverruled = false
    if (block && (step.operation === 'edit' || step.operation === 'delete')) {
      const wasGone = this.gone.delete(block.name)
      isOverruled = this.texts.delete(block.name) || (wasGone && step.operation === 'edit')
    }
    const { conflicts } = await this.compile()
    const overruled = conflicts.map(({ nodeId }) => this.names.get(nodeId))
    expect(overruled).toEqual(isOverruled ? [block?.name] : [])
  }

  async check(): Promise<void> {
    const state = await stateOf(this.at.memory)
    expect(outline(state)).toEqual(this.expected(await stateOf(this.fresh.memory)))
    for (const { id, text } of flat(state)) if (nameIn(text)) this.names.set(id, nameIn(text) as string)
    await expectSound(this.at.memory)
  }

  /** What the untouched memory says, with the agents' edits applied by hand. */
  expected(nodes: readonly StateNode[], indent = ''): string[] {
    return nodes.flatMap(({ text, children }) => {
      const name = nameIn(text) as string
      if (this.gone.has(name)) return this.expected(children, indent)
      return [indent + (this.texts.get(name) ?? text), ...this.expected(children, `${indent}  `)]
    })
  }

  async close(): Promise<void> {
    for (const { remove, folder, memory } of [this.at, this.fresh]) {
      remove(this.path)
      await memory.compile(folder)
    }
  }
}

function changed(blocks: readonly Source[], from: number, step: Step, newName: () => string): Source[] {
  const { kind, level, other } = step
  const block = blocks[from]
  if (!block || step.operation === 'insert')
    return blocks.toSpliced(other % (blocks.length + 1), 0, { kind, level, name: newName(), edition: 0 })
  if (step.operation === 'move') return blocks.toSpliced(from, 1).toSpliced(other % blocks.length, 0, block)
  if (step.operation === 'level') return blocks.with(from, { ...block, level })
  if (step.operation === 'edit') return blocks.with(from, { ...block, edition: block.edition + 1 })
  return blocks.toSpliced(from, 1)
}

test(
  'what agents made of a file stays through every change that is not under it',
  async () => {
    await using at = await openWorkspace()
    await using fresh = await openWorkspace()
    const newName = createNames()
    let run = 0
    await fc.assert(
      fc.asyncProperty(sources, steps, async (unnamed, history) => {
        const blocks = unnamed.map((block) => ({ ...block, name: newName() }))
        const edited = new Edited({ at, fresh }, `${run++}.md`, newName, blocks)
        try {
          await edited.compile()
          await edited.check()
          for (const step of history) await edited.run(step)
        } finally {
          await edited.close()
        }
      }),
      { numRuns: 40 * RUNS, interruptAfterTimeLimit: 45_000 * RUNS },
    )
  },
  60_000 * RUNS,
)
