import { cpSync } from 'node:fs'
import { basename } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import {
  allPages,
  expectSound,
  flat,
  historyOf,
  openWorkspace,
  type StateNode,
  stateOf,
  type Workspace,
} from '../support/engine.ts'
import { createNames, RUNS, type Source, toMarkdown } from '../support/engine-documents.ts'
import { piecesOf } from '../support/transfer.ts'

const OPERATIONS = [
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

interface Step {
  operation: (typeof OPERATIONS)[number]
  /** Choose a file, a block, a node, a snapshot: by remainder. */
  pick: number
  other: number
  kind: Source['kind']
  level: number
}

const step = fc.record<Step>({
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
class Driver {
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
async function compile({ memory, folder }: Workspace): Promise<void> {
  await memory.compile(folder, { message: 'compile' })
}

async function exported(memory: Memory): Promise<string> {
  let text = ''
  await memory.export((piece) => {
    text += piece
  })
  return text.replace(/"exported_at":\d+/, '"exported_at":0')
}

/** Whatever can be asked, without what belongs to the place and the moment. */
async function everything(at: Workspace) {
  const { memory, folder } = at
  const ids = [...new Set((await exported(memory)).match(/(?<="key":\d+,"id":")\w{11}/g) ?? [])]
  const snapshots = await memory.snapshots({ limit: 1000 })
  const { db_path: _, db_bytes: __, snapshots: counted, ...overview } = await memory.overview()
  const { checks } = await memory.doctor()
  const diffs = snapshots.map(({ id: from }) =>
    allPages((page) => memory.diff({ from, to: snapshots[0]?.id ?? 0, ...page }), 50),
  )
  const all = {
    tree: await memory.forest(),
    files: await memory.files(),
    graph: await memory.graph(),
    snapshots,
    histories: await Promise.all(ids.map((id) => historyOf(memory, id))),
    diffs: await Promise.all(diffs),
    overview,
    counted: { ...counted, latest_age_s: 0 },
    checks,
  }
  return JSON.parse(JSON.stringify(all).replaceAll(basename(folder), 'folder'))
}

/** An equal memory beside equal files, in a folder of its own. */
async function copyOf(at: Workspace): Promise<Workspace> {
  const copy = await openWorkspace()
  cpSync(at.folder, copy.folder, { recursive: true, filter: (path) => basename(path) !== '.remindb' })
  await copy.memory.import(piecesOf(await exported(at.memory), 777))
  return copy
}

const withoutTimes = (text: string): string =>
  text.replace(/"(created|updated|ticked|accessed)_at":\d+/g, '"$1_at":0')

test(
  'any memory comes through export and import unchanged, and goes on as before',
  async () => {
    const histories = fc.array(step, { minLength: 3, maxLength: 25 })
    await fc.assert(
      fc.asyncProperty(histories, fc.array(step, { minLength: 1, maxLength: 4 }), async (before, after) => {
        await using original = await openWorkspace()
        const driver = new Driver(original)
        for (const one of before) await driver.run(one)
        await using copy = await copyOf(original)
        expect(await exported(copy.memory)).toBe(await exported(original.memory))
        expect(await everything(copy)).toEqual(await everything(original))
        await expectSound(copy.memory)
        const names = Array.from({ length: after.length }, driver.name)
        for (const at of [original, copy]) {
          const left = [...names]
          const next = new Driver(at, new Map(driver.files), () => left.shift() ?? 'one more')
          for (const one of after) await next.run(one)
          await compile(at)
        }
        expect(withoutTimes(await exported(copy.memory))).toBe(withoutTimes(await exported(original.memory)))
        await expectSound(copy.memory)
      }),
      { numRuns: 12 * RUNS, interruptAfterTimeLimit: 50_000 * RUNS },
    )
  },
  60_000 * RUNS,
)
