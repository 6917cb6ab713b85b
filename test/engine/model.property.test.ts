import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { VersionRow } from '../../src/core/port/store.ts'
import {
  allPages,
  expectSound,
  flat,
  openWorkspace,
  type StateNode,
  stateOf,
  type Workspace,
} from '../support/engine.ts'
import { createNames, RUNS, type Source, toMarkdown } from '../support/engine-documents.ts'

const OPERATIONS = [
  'insert',
  'insert',
  'edit',
  'delete',
  'move',
  'level',
  'empty',
  'deleteFile',
  'renameFile',
  'note',
  'noteUnder',
  'write',
  'summarize',
  'strict',
  'cascade',
  'reparent',
  'rollback',
  'rollback',
  'drop',
  'reopen',
] as const

interface Step {
  operation: (typeof OPERATIONS)[number]
  /** Choose a file, a block, a node, a snapshot: by remainder. */
  pick: number
  other: number
  kind: Source['kind']
  level: number
}

const steps = fc.array(
  fc.record<Step>({
    operation: fc.constantFrom(...OPERATIONS),
    pick: fc.nat({ max: 1000 }),
    other: fc.nat({ max: 1000 }),
    kind: fc.constantFrom('heading', 'heading', 'text', 'list', 'code', 'table'),
    level: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 5, maxLength: 25 },
)

const FILES = ['a.md', 'sub/b.md', 'c.md']
const PAYLOADS = [
  'Noted.',
  '# Noted heading\n\nWith a text.\n\n- and a list\n',
  'First.\n\nSecond.',
  '## Level two',
]

/** A memory beside what it must say: the files, and the whole state at every snapshot. */
class Model {
  readonly at: Workspace
  readonly name = createNames()
  readonly files = new Map<string, Source[]>()
  readonly states = new Map<number, { state: StateNode[]; cursorHash: string }>()

  constructor(at: Workspace) {
    this.at = at
  }

  async run(step: Step): Promise<void> {
    const { memory } = this.at
    const node = await this.pickNode(step.pick)
    const payload = PAYLOADS[step.other % PAYLOADS.length] as string
    switch (step.operation) {
      case 'note':
        await memory.write({ payload })
        break
      case 'noteUnder':
        if (node) await memory.write({ parent: node.id, payload })
        break
      case 'write':
        if (node) await memory.write({ anchor: node.id, payload })
        break
      case 'summarize':
        if (node) await memory.summarize({ id: node.id, summary: `In short ${step.other % 5}` })
        break
      case 'strict':
        if (node && node.children.length === 0) await memory.forget({ id: node.id })
        break
      case 'cascade':
      case 'reparent':
        if (node) await memory.forget({ id: node.id, mode: step.operation })
        break
      case 'rollback':
      case 'drop':
        await this.rollBack(step)
        break
      case 'reopen':
        await this.at.reopen()
        break
      default:
        await this.changeFile(step)
    }
    await this.check()
  }

  async changeFile({ operation, pick, other, kind, level }: Step): Promise<void> {
    const path = FILES[pick % FILES.length] as string
    const blocks = this.files.get(path) ?? []
    const from = other % Math.max(1, blocks.length)
    const block = blocks[from]
    if (operation === 'deleteFile') {
      if (this.files.delete(path)) this.at.remove(path)
    } else if (operation === 'renameFile') {
      this.rename(path, FILES[other % FILES.length] as string)
    } else {
      let next = blocks
      if (operation === 'insert' || !block) {
        next = blocks.toSpliced(pick % (blocks.length + 1), 0, { kind, level, name: this.name(), edition: 0 })
      } else if (operation === 'edit') next = blocks.with(from, { ...block, edition: block.edition + 1 })
      else if (operation === 'delete') next = blocks.toSpliced(from, 1)
      else if (operation === 'level') next = blocks.with(from, { ...block, kind: 'heading', level })
      else if (operation === 'move')
        next = blocks.toSpliced(from, 1).toSpliced(pick % blocks.length, 0, block)
      else if (operation === 'empty') next = []
      this.files.set(path, next)
      this.at.file(path, toMarkdown(next))
    }
    await this.at.compile()
  }

  rename(from: string, to: string): void {
    const blocks = this.files.get(from)
    if (!blocks || this.files.has(to)) return
    this.files.delete(from)
    this.at.remove(from)
    this.files.set(to, blocks)
    this.at.file(to, toMarkdown(blocks))
  }

  async rollBack({ operation, pick }: Step): Promise<void> {
    const ids = [...this.states.keys()]
    const target = ids[pick % ids.length]
    if (target === undefined) return
    const wanted = this.states.get(target)
    const dropAfter = operation === 'drop'
    await this.at.memory.rollback({ snapshotId: target, dropAfter })
    expect(await versionedState(this.at)).toEqual(wanted?.state)
    const head = (await this.at.memory.snapshots({ limit: 1 }))[0]
    expect(head?.cursorHash).toBe(wanted?.cursorHash)
    if (dropAfter) for (const id of ids) if (id > target) this.states.delete(id)
  }

  /** Whatever happened: at most one snapshot more, a sound memory, and a compile finds nothing to do. */
  async check(): Promise<void> {
    const { memory } = this.at
    await expectSound(memory)
    const state = await versionedState(this.at)
    const snapshots = await memory.snapshots()
    const fresh = snapshots.filter(({ id }) => !this.states.has(id))
    expect(fresh.length).toBeLessThanOrEqual(1)
    for (const { id, cursorHash } of fresh) this.states.set(id, { state, cursorHash })
    expect(snapshots.map(({ id }) => id)).toEqual([...this.states.keys()].sort((a, b) => b - a))
    expect(state).toEqual(this.states.get(snapshots[0]?.id ?? 0)?.state ?? [])
    expect((await this.at.compile()).snapshot).toBeNull()
    expect(await versionedState(this.at)).toEqual(state)
  }

  /** The net diff between two snapshots leads from the one's state to the other's. */
  async checkDiff(from: number, to: number): Promise<void> {
    const ask = (page: { limit: number; after?: string }) => this.at.memory.diff({ from, to, ...page })
    const nodes = facts(this.states.get(from)?.state ?? [])
    for (const row of await allPages<VersionRow>(ask, 7)) {
      const old = nodes.get(row.nodeId)
      expect(row.old && [row.old.parentId, row.old.type, row.old.text]).toEqual(old ?? null)
      expect(row.op).toBe(old ? (row.new ? 'mod' : 'rem') : 'add')
      if (row.new) nodes.set(row.nodeId, [row.new.parentId, row.new.type, row.new.text])
      else nodes.delete(row.nodeId)
    }
    expect(nodes).toEqual(facts(this.states.get(to)?.state ?? []))
  }

  async pickNode(pick: number): Promise<StateNode | undefined> {
    const nodes = flat(await stateOf(this.at.memory))
    return nodes[pick % Math.max(1, nodes.length)]
  }
}

/** The state without the names of the files, which are not versioned: their order depends on them. */
async function versionedState({ memory }: Workspace): Promise<StateNode[]> {
  const state = await stateOf(memory)
  const { roots } = await memory.forest({ depth: 1 })
  const bySource = Map.groupBy(state.entries(), ([at]) => roots[at]?.source)
  const documents = [...bySource.values()].map((entries) => entries.map(([, node]) => node))
  const firstId = (nodes: StateNode[]): string => nodes.map(({ id }) => id).sort()[0] as string
  return documents.sort((a, b) => (firstId(a) < firstId(b) ? -1 : 1)).flat()
}

type Fact = [parent: string | null, type: string, text: string]

function facts(nodes: readonly StateNode[], parent: string | null = null, into = new Map<string, Fact>()) {
  for (const { id, type, text, children } of nodes) {
    into.set(id, [parent, type, text])
    facts(children, id, into)
  }
  return into
}

test(
  'every snapshot of any history can be gone back to, and says what it said',
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.infiniteStream(fc.nat({ max: 1000 })), async (history, random) => {
        await using at = await openWorkspace()
        const model = new Model(at)
        for (const step of history) await model.run(step)
        const ids = [...model.states.keys()]
        const pickId = (): number => ids[random.next().value % ids.length] as number
        for (let round = 0; round < 4 && ids.length > 1; round++) {
          const [from, to] = [pickId(), pickId()].toSorted((a, b) => a - b) as [number, number]
          await model.checkDiff(round === 0 ? 0 : from, to)
        }
        for (const id of ids) {
          await model.rollBack({
            operation: 'rollback',
            pick: ids.indexOf(id),
            other: 0,
            kind: 'text',
            level: 1,
          })
          await model.check()
        }
      }),
      { numRuns: 12 * RUNS, interruptAfterTimeLimit: 50_000 * RUNS },
    )
  },
  60_000 * RUNS,
)
