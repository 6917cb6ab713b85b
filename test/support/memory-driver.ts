import fc from 'fast-check'
import { expect } from 'vitest'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { flat, type StateNode, stateOf, type Workspace } from './engine.ts'
import { createNames, type Source, toMarkdown } from './engine-documents.ts'

export const OPERATIONS = [
  'file',
  'file',
  'file',
  'edit',
  'edit',
  'deleteFile',
  'renameFile',
  'note',
  'noteUnder',
  'write',
  'write',
  'summarize',
  'strict',
  'cascade',
  'reparent',
  'pin',
  'pin',
  'unpin',
  'relate',
  'relate',
  'unrelate',
  'warm',
  'rollback',
  'rollback',
  'drop',
  'eraseFile',
  'eraseNote',
] as const

export interface Step {
  operation: (typeof OPERATIONS)[number]
  /** Choose a file, a block, a node, a snapshot: by remainder. */
  pick: number
  other: number
  kind: Source['kind']
  level: number
}

export const step = fc.record<Step>({
  operation: fc.constantFrom(...OPERATIONS),
  pick: fc.nat({ max: 1000 }),
  other: fc.nat({ max: 1000 }),
  kind: fc.constantFrom('heading', 'heading', 'text', 'list', 'code', 'table'),
  level: fc.integer({ min: 1, max: 3 }),
})

const FILES = ['a.md', 'sub/b.md', 'c.md']
const PAYLOADS = [
  'Noted.',
  '# Noted [[heading; w=2; source=a.md]]\n\nWith a [[link]] and `[[none]]`.\n\n- and a list\n',
  'First \u{1f9e0}\u0000.\n\nSecond\u2028.',
  '## Level two',
]

/** Runs steps on a memory; the same steps on an equal memory beside equal files do the same. */
export class Driver {
  readonly at: Workspace
  readonly files: Map<string, Source[]>
  readonly name: () => string

  constructor(at: Workspace, files = new Map<string, Source[]>(), name = createNames()) {
    this.at = at
    this.files = files
    this.name = name
  }

  async run(step: Step): Promise<void> {
    const { memory } = this.at
    const { operation, pick, other } = step
    const node = await this.pickNode(pick)
    const payload = PAYLOADS[other % PAYLOADS.length] as string
    switch (operation) {
      case 'note':
        return void (await memory.write({ payload }))
      case 'noteUnder':
        return void (node && (await memory.write({ parent: node.id, payload })))
      case 'write':
        return void (node && (await memory.write({ anchor: node.id, payload })))
      case 'summarize':
        return void (node && (await memory.summarize({ id: node.id, summary: `In short ${other % 5}` })))
      case 'strict':
      case 'cascade':
      case 'reparent':
        if (node && (operation !== 'strict' || node.children.length === 0))
          await memory.forget({ id: node.id, mode: operation })
        return
      case 'pin':
        return void (node && (await memory.pin({ id: node.id, temperature: (other % 11) / 10 })))
      case 'relate':
        return void (node && (await memory.relate({ sourceId: node.id, ...(await this.target(other)) })))
      case 'unrelate':
        return this.unrelate(node, other)
      case 'warm':
        return void (node && (await memory.warm([node.id])))
      case 'unpin':
        return void (node && (await memory.unpin(node.id)))
      case 'rollback':
      case 'drop':
        return this.rollBack(pick, operation === 'drop')
      case 'eraseFile':
        return this.erase({ kind: 'source', root: '.', path: FILES[pick % FILES.length] as string })
      case 'eraseNote':
        return void (node && (await this.erase({ kind: 'note', id: node.id })))
      default:
        return this.changeFile(step)
    }
  }

  async rollBack(pick: number, dropAfter: boolean): Promise<void> {
    const snapshots = await this.at.memory.snapshots()
    const target = snapshots[pick % Math.max(1, snapshots.length)]
    if (target) await this.at.memory.rollback({ snapshotId: target.id, dropAfter })
  }

  /** Another node, or a heading by its label. */
  async target(pick: number): Promise<{ targetId: string } | { targetLabel: string }> {
    const node = pick % 2 === 0 ? await this.pickNode(pick) : undefined
    return node ? { targetId: node.id } : { targetLabel: `Noted ${pick % 3}` }
  }

  async unrelate(node: StateNode | undefined, pick: number): Promise<void> {
    if (!node) return
    const target = { sourceId: node.id, ...(await this.target(pick)) }
    await this.at.memory.unrelate(target).catch((error) => {
      expect(['NOT_FOUND', 'CONFLICT']).toContain(error.code)
    })
  }

  async erase(address: Parameters<Memory['erase']>[0]): Promise<void> {
    try {
      await this.at.memory.erase(address)
    } catch (error) {
      expect(error).toMatchObject({ code: 'NOT_FOUND' })
    }
  }

  async changeFile({ operation, pick, other, kind, level }: Step): Promise<void> {
    const path = FILES[pick % FILES.length] as string
    const blocks = this.files.get(path) ?? []
    if (operation === 'deleteFile') {
      if (this.files.delete(path)) this.at.remove(path)
    } else if (operation === 'renameFile') this.rename(path, FILES[other % FILES.length] as string)
    else this.change(path, blocks, { operation, pick, other, kind, level })
    await compile(this.at)
  }

  change(path: string, blocks: Source[], { operation, pick, other, kind, level }: Step): void {
    const from = other % Math.max(1, blocks.length)
    const block = blocks[from]
    const fresh = { kind, level, name: this.name(), edition: 0 }
    const next =
      operation === 'edit' && block
        ? blocks.with(from, { ...block, edition: block.edition + 1 })
        : blocks.toSpliced(pick % (blocks.length + 1), other % 3 === 0 ? 1 : 0, fresh)
    this.files.set(path, next)
    this.at.file(path, toMarkdown(next))
  }

  rename(from: string, to: string): void {
    const blocks = this.files.get(from)
    if (!blocks || this.files.has(to)) return
    this.files.delete(from)
    this.at.remove(from)
    this.files.set(to, blocks)
    this.at.file(to, toMarkdown(blocks))
  }

  async pickNode(pick: number): Promise<StateNode | undefined> {
    const nodes = flat(await stateOf(this.at.memory))
    return nodes[pick % Math.max(1, nodes.length)]
  }
}

/** With a message that does not name the folder. */
export async function compile({ memory, folder }: Workspace): Promise<void> {
  await memory.compile(folder, { message: 'compile' })
}

export async function exported(memory: Memory): Promise<string> {
  let text = ''
  await memory.export((piece) => {
    text += piece
  })
  return text.replace(/"exported_at":\d+/, '"exported_at":0')
}
