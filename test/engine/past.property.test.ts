import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMemoryConfig } from '../../src/core/files/model.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { flat, openWorkspace, stateOf, type Workspace } from '../support/engine.ts'
import { RUNS } from '../support/engine-documents.ts'
import { Driver, exported, OPERATIONS, type Step, step } from '../support/memory-driver.ts'
import { piecesOf } from '../support/transfer.ts'

/** What is not part of the past, or is gone from it. */
const LEFT_OUT = ['pin', 'unpin', 'warm', 'relate', 'unrelate', 'eraseFile', 'eraseNote', 'drop']
const DOORS = ['remember', 'forget', 'record', 'update', 'delete', 'append', 'replace', 'remove'] as const

interface DoorStep {
  door: (typeof DOORS)[number]
  pick: number
  other: number
}

const doorStep = fc.record<DoorStep>({
  door: fc.constantFrom(...DOORS),
  pick: fc.nat({ max: 5 }),
  other: fc.nat({ max: 5 }),
})
const treeStep = step.filter(({ operation }) => !LEFT_OUT.includes(operation))
const history = fc.array(fc.oneof(treeStep, doorStep), { minLength: 3, maxLength: 22 })

const filesOf = (memory: Memory) =>
  memory.memoryNode(readMemoryConfig({ id: 'memory' }, 'node')).getMemoryService({ threadId: 't' })

const ignoring = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error) => expect(error).toHaveProperty('code'))

async function runDoor(memory: Memory, { door, pick, other }: DoorStep): Promise<void> {
  const text = `Noted ${other} [[heading]] #tag${pick}`
  const key = `key ${pick}`
  const path = `/folder ${pick % 2}/file ${pick}`
  const files = filesOf(memory)
  const { memories } = await memory.records.query({ archived: true, limit: 50 })
  const record = memories[pick % Math.max(1, memories.length)]
  const work: Record<DoorStep['door'], () => Promise<unknown> | undefined> = {
    remember: () => memory.keys.remember({ key, value: text, tags: [`tag${other}`] }),
    forget: () => memory.keys.forget(key),
    record: () => memory.records.store({ type: 'learning', content: text, tags: [`tag${other}`] }),
    update: () => record && memory.records.update({ id: record.id, content: text }),
    delete: () => record && memory.records.delete({ id: record.id, permanent: other % 2 === 0 }),
    append: () => files.append(path, text),
    replace: () => files.update(path, 'Noted', 'Written'),
    remove: () => files.delete(path),
  }
  await ignoring(Promise.resolve(work[door]()))
}

const QUERIES = [
  'noted',
  'heading',
  'noted 3',
  'tag:tag1',
  '"with a" OR list',
  'path:sub in',
  'short -noted',
  'kind:key written',
]

type At = { asOf?: number }

/** Everything that can be read as of a snapshot. */
async function everything({ memory }: Workspace, ids: readonly string[], at: At) {
  const files = filesOf(memory)
  const keys = Array.from({ length: 6 }, (_, pick) => memory.keys.recall(`key ${pick}`, at).catch(codeOf))
  const texts = Array.from({ length: 6 }, (_, pick) =>
    files.read(`/folder ${pick % 2}/file ${pick}`, at).catch(codeOf),
  )
  const pages: unknown[] = []
  for (let after: string | undefined; ; ) {
    const page = await memory.tree({ depth: 9, limit: 3, ...at, ...(after === undefined ? {} : { after }) })
    pages.push(page.nodes)
    if (page.next === null) break
    after = page.next
  }
  const all = {
    pages,
    look: await memory.firstLook(at),
    documents: await memory.tree({ depth: 0, limit: 50, ...at }),
    found: await Promise.all(QUERIES.map((query) => memory.search({ query, limit: 50, ...at }))),
    fetched: await Promise.all(
      ids.map((anchor) => memory.fetch({ anchor, depth: 2, budget: 200, ...at }).catch(codeOf)),
    ),
    batch: await memory.fetchBatch({ ids: [...ids.slice(0, 5), 'nothingThere'], ...at }),
    records: await memory.records.query({ archived: true, limit: 50, sort_by: 'created_at', ...at }),
    words: await memory.records.query({ search: 'noted', sort_by: 'created_at', ...at }),
    keys: await Promise.all(keys),
    texts: await Promise.all(texts),
    lists: await Promise.all(['/', '/folder 0', '/folder 1'].map((path) => files.list(path, at))),
  }
  return JSON.parse(JSON.stringify(all, (name, value) => (UNVERSIONED.includes(name) ? undefined : value)))
}

/** Counts of accesses, and which read this was. */
const UNVERSIONED = [
  'readAt',
  'access_count',
  'accessed_at',
  'last_accessed_at',
  'documentId',
  'version',
  'snapshotId',
]

/** Heat is not part of the past: every node has that of a new one. */
function withoutHeat(text: string): string {
  const unread = { value: 0.5, clock: 0, pinned: false, accesses: 0, accessed_at: null, told: false }
  return text.replace(/"heat":\{"value"[^}]*\}/g, `"heat":${JSON.stringify(unread)}`)
}

const codeOf = (error: { code?: string; fileCode?: string }): string =>
  error.code ?? error.fileCode ?? String(error)

const isDoorStep = (one: Step | DoorStep): one is DoorStep => 'door' in one

test(
  'a read as of a snapshot gives what an export taken then gives',
  async () => {
    expect(OPERATIONS).toEqual(expect.arrayContaining(LEFT_OUT))
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        await using at = await openWorkspace()
        const driver = new Driver(at)
        const taken = new Map<number, { text: string; ids: string[] }>()
        for (const one of steps) {
          if (isDoorStep(one)) await runDoor(at.memory, one)
          else await ignoring(driver.run(one))
          const [head] = await at.memory.snapshots({ limit: 1 })
          const ids = flat(await stateOf(at.memory)).map(({ id }) => id)
          if (head && !taken.has(head.id)) taken.set(head.id, { text: await exported(at.memory), ids })
        }
        for (const [asOf, { text, ids }] of taken) {
          await using then = await openWorkspace()
          await then.memory.import(piecesOf(withoutHeat(text), 777))
          expect(await everything(at, ids, { asOf })).toEqual(await everything(then, ids, {}))
        }
      }),
      { numRuns: 6 * RUNS, interruptAfterTimeLimit: 40_000 * RUNS },
    )
  },
  60_000 * RUNS,
)
