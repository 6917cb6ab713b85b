import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { isMemoryError } from '../../src/core/errors.ts'
import type { Address } from '../../src/core/model.ts'
import type { Engine, SnapshotRow } from '../../src/core/port/store.ts'
import { type DoorsOf, openDoors } from './doors-over.ts'
import { temporaryFolder } from './engine.ts'
import { createNames, type Source, toMarkdown } from './engine-documents.ts'

export const AUTHORS = ['ada', 'bob'] as const
const FILES = ['a.md', 'sub/b.md', 'c.md']
const NAMES = ['k', 'l']
const TEXTS = [
  'Noted.',
  '# Noted heading\n\nWith a text.\n\n- and a list\n',
  'First.\n\nSecond.',
  '## Level two',
]

const STEPS = [
  ...(['insert', 'insert', 'edit', 'delete', 'move', 'level', 'deleteFile', 'renameFile'] as const),
  ...(['note', 'noteUnder', 'write', 'write', 'summarize', 'strict', 'cascade', 'reparent'] as const),
  ...(['remember', 'remember', 'forgetKey', 'redactKey', 'record', 'update', 'forgetRecord'] as const),
  ...(['append', 'append', 'replace', 'deletePath'] as const),
  ...(['rollback', 'restore', 'revert', 'revertAuthor', 'eraseSource', 'eraseAny'] as const),
]

export interface Step {
  do: (typeof STEPS)[number]
  author: (typeof AUTHORS)[number]
  pick: number
  other: number
  kind: Source['kind']
}

export const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(...STEPS),
  author: fc.constantFrom(...AUTHORS),
  pick: fc.nat({ max: 1000 }),
  other: fc.nat({ max: 1000 }),
  kind: fc.constantFrom('heading', 'heading', 'text', 'list', 'code', 'table'),
})

/** What a node says and where it stands; `document` names where it belongs. */
export interface NodeFact {
  document: number
  parent: string | null
  position: string
  content: string
}

/** Everything that is versioned, as it is now. */
export interface WorldState {
  nodes: Map<string, NodeFact>
  /** Keys, records and files by path: text, attributes and state. */
  documents: Map<number, string>
}

/** What is refused for a reason. Anything else is a defect. */
const REFUSED = ['NOT_FOUND', 'INVALID_INPUT', 'REDACTED', 'CONFLICT', 'LIMIT_EXCEEDED']

/** A memory of all doors that two people and their agents use, over any engine. */
export class World {
  readonly engine: Engine
  readonly by: DoorsOf
  readonly folder: string
  readonly name = createNames()
  readonly files = new Map<string, Source[]>()

  constructor(engine: Engine, by: DoorsOf, folder: string) {
    this.engine = engine
    this.by = by
    this.folder = folder
  }

  static async open(engine: Engine): Promise<World> {
    const folder = temporaryFolder()
    mkdirSync(join(folder, '.remindb'))
    return new World(engine, await openDoors(engine, folder), folder)
  }

  /** The snapshot that the step made, if it made one. */
  async run(step: Step): Promise<SnapshotRow | undefined> {
    const before = await this.head()
    try {
      await this.do(step)
    } catch (error) {
      const isRefused = isMemoryError(error) && REFUSED.includes(error.code)
      if (!isRefused && (error as Error).name !== 'FileError') throw error
    }
    const [head] = await this.snapshots()
    return head && head.id > before ? head : undefined
  }

  async do(step: Step): Promise<unknown> {
    const { pick, other } = step
    const me = this.by(step.author)
    const payload = TEXTS[other % TEXTS.length] as string
    const key = NAMES[pick % NAMES.length] as string
    switch (step.do) {
      case 'note':
        return me.write({ payload })
      case 'noteUnder':
        return me.write({ parent: await this.node(pick), payload })
      case 'write':
        return me.write({ anchor: await this.node(pick), payload: `${payload} ${this.name()}` })
      case 'summarize':
        return me.summarize({ id: await this.node(pick), summary: `In short ${other % 5}` })
      case 'strict':
      case 'cascade':
      case 'reparent':
        return me.forget({ id: await this.node(pick), mode: step.do })
      case 'remember':
        return me.keys.remember({ key, value: `${payload} ${other % 3}`, tags: other % 2 ? ['t'] : [] })
      case 'forgetKey':
        return me.keys.forget(key)
      case 'redactKey':
        return other % 3 ? undefined : me.keys.redact({ key })
      case 'record':
        return me.records.store({ type: 'learning', content: payload, tags: other % 2 ? ['t'] : [] })
      case 'update':
        return me.records.update({ id: await this.record(pick), content: `${payload} ${other % 4}` })
      case 'forgetRecord':
        return me.records.delete({ id: await this.record(pick), permanent: other % 2 === 0 })
      case 'append':
        return me.files.append(`/log/${key}`, payload)
      case 'replace':
        return me.files.update(`/log/${key}`, 'Second', `Third ${other % 3}`)
      case 'deletePath':
        return me.files.delete(other % 3 ? `/log/${key}` : '/log')
      case 'rollback':
        return me.rollback({ snapshotId: await this.snapshot(pick) })
      case 'restore':
        return me.restore({
          id: await this.node(pick, true),
          snapshot: await this.snapshot(other),
          force: pick % 2 > 0,
        })
      case 'revert':
        return me.revert({ snapshots: [await this.snapshot(pick)], force: other % 3 === 0 })
      case 'revertAuthor': {
        const author = AUTHORS[pick % 2] as string
        return me.revert({ author, since: (await this.snapshot(other)) - 1, force: other % 3 === 0 })
      }
      case 'eraseSource': {
        if (other % 4) return undefined
        return me.erase({ kind: 'source', root: this.folder, path: FILES[pick % FILES.length] as string })
      }
      case 'eraseAny':
        return other % 4 ? undefined : me.erase(await this.address(pick))
      default:
        return this.changeFile(step)
    }
  }

  changeFile({ do: what, author, pick, other, kind }: Step): Promise<unknown> {
    const path = FILES[pick % FILES.length] as string
    const blocks = this.files.get(path) ?? []
    const from = other % Math.max(1, blocks.length)
    const block = blocks[from]
    if (what === 'deleteFile') this.put(path, undefined)
    else if (what === 'renameFile') {
      const to = FILES[other % FILES.length] as string
      if (!this.files.has(path) || this.files.has(to)) return Promise.resolve()
      this.put(path, undefined)
      this.put(to, blocks)
    } else if (what === 'insert' || !block) {
      const fresh = { kind, level: 1 + (other % 3), name: this.name(), edition: 0 }
      this.put(path, blocks.toSpliced(pick % (blocks.length + 1), 0, fresh))
    } else if (what === 'edit') this.put(path, blocks.with(from, { ...block, edition: block.edition + 1 }))
    else if (what === 'delete') this.put(path, blocks.toSpliced(from, 1))
    else if (what === 'level')
      this.put(path, blocks.with(from, { ...block, kind: 'heading', level: 1 + (pick % 3) }))
    else this.put(path, blocks.toSpliced(from, 1).toSpliced(pick % blocks.length, 0, block))
    return this.by(author).compile(this.folder)
  }

  put(path: string, blocks: Source[] | undefined): void {
    const file = join(this.folder, path)
    if (!blocks) {
      if (this.files.delete(path)) rmSync(file)
      return
    }
    this.files.set(path, blocks)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, toMarkdown(blocks))
  }

  snapshots(): Promise<SnapshotRow[]> {
    return this.engine.store.read((tx) => tx.snapshots({ limit: 1000 }))
  }

  async head(): Promise<number> {
    return (await this.snapshots())[0]?.id ?? 0
  }

  private async snapshot(pick: number): Promise<number> {
    const all = await this.snapshots()
    return all[pick % Math.max(1, all.length)]?.id ?? 1
  }

  private async node(pick: number, removed = false): Promise<string> {
    const rows = await this.engine.store.read((tx) => tx.scan('nodes', { limit: 10_000 }))
    const ids = rows.filter(({ removedIn }) => removed || removedIn === null).map(({ id }) => id)
    return ids[pick % Math.max(1, ids.length)] ?? 'none'
  }

  private async record(pick: number): Promise<string> {
    const { memories } = await this.by('ada').records.query({ limit: 10 })
    return memories[pick % Math.max(1, memories.length)]?.id ?? 'none'
  }

  private async address(pick: number): Promise<Address> {
    const rows = await this.engine.store.read((tx) => tx.scan('documents', { limit: 10_000 }))
    const addresses = rows.flatMap(({ address }) => (address && address.kind !== 'source' ? [address] : []))
    return addresses[pick % Math.max(1, addresses.length)] ?? { kind: 'key', key: 'none' }
  }

  async state(): Promise<WorldState> {
    return this.engine.store.read(async (tx) => {
      const keys = (await tx.scan('nodes', { limit: 100_000 })).map(({ key }) => key)
      const nodes = await tx.nodes({ keys }, 'stored')
      const ids = (await tx.scan('documents', { limit: 100_000 })).map(({ id }) => id)
      const documents = await tx.documents({ ids }, 'whole')
      return {
        nodes: new Map(
          nodes.map(({ id, documentId, parentId, position, type, format, label, text, links }) => [
            id,
            {
              document: documentId,
              parent: parentId,
              position,
              content: JSON.stringify([type, format, label, text, links]),
            },
          ]),
        ),
        documents: new Map(
          documents
            .filter(({ address: { kind } }) => kind !== 'source' && kind !== 'note')
            .map(({ id, state, text, attributes }) => [
              id,
              JSON.stringify(state === 'removed' ? [state] : [state, text, attributes]),
            ]),
        ),
      }
    })
  }

  /** What is wrong with the memory, by every check of doctor. */
  async problems(): Promise<string[]> {
    await this.engine.maintenance.scrub()
    const checks = await this.engine.maintenance.check()
    return checks.filter(({ status }) => status !== 'pass').map(({ name, detail }) => `${name}: ${detail}`)
  }
}
