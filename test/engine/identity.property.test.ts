import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ForestNode } from '../../src/core/observe/forest.ts'
import { longestIncreasingSubsequence } from '../../src/core/sequence.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { expectSound, heatOf, historyOf, openWorkspace, textOf } from '../support/engine.ts'
import { createNames, nameIn, RUNS, type Source, sources, toMarkdown } from '../support/engine-documents.ts'

interface Edit {
  op: 'insert' | 'delete' | 'move'
  from: number
  to: number
  kind: Source['kind']
  level: number
}

const edits = fc.array(
  fc.record<Edit>({
    op: fc.constantFrom('insert', 'delete', 'move'),
    from: fc.nat(),
    to: fc.nat(),
    kind: fc.constantFrom('heading', 'text', 'list', 'code', 'table'),
    level: fc.integer({ min: 1, max: 4 }),
  }),
  { minLength: 1, maxLength: 5 },
)

interface Seen {
  id: string
  parent: string | null
  /** Of its siblings, from 0. */
  index: number
  heat: unknown
  history: unknown[]
}

/** Every node of one file, by the name in its text. */
async function look(memory: Memory, path: string): Promise<Map<string, Seen>> {
  const { roots } = await memory.forest()
  const heat = heatOf(memory)
  const seen = new Map<string, Seen>()
  const visit = async (nodes: ForestNode[], parent: string | null): Promise<void> => {
    for (const [index, { id, children }] of nodes.entries()) {
      const text = await textOf(memory, id)
      seen.set(nameIn(text) as string, {
        id,
        parent,
        index,
        heat: heat.get(id),
        history: await historyOf(memory, id),
      })
      await visit(children, id)
    }
  }
  await visit(
    roots.filter(({ source }) => source === path),
    null,
  )
  return seen
}

function apply(
  blocks: readonly Source[],
  edit: Edit,
  name: () => string,
): { next: Source[]; touched: Source } {
  const { kind, level } = edit
  const from = edit.from % blocks.length
  const block = blocks[from] as Source
  if (edit.op === 'insert' || blocks.length === 1) {
    const touched = { kind, level, name: name(), edition: 0 }
    return { next: blocks.toSpliced(edit.from % (blocks.length + 1), 0, touched), touched }
  }
  const rest = blocks.toSpliced(from, 1)
  if (edit.op === 'delete') return { next: rest, touched: block }
  return { next: rest.toSpliced(edit.to % (rest.length + 1), 0, block), touched: block }
}

/** How many of the siblings that stay have to move, by parent, so that all are in the new order. */
function movesNeeded(before: Map<string, Seen>, after: Map<string, Seen>): Map<string | null, number> {
  const staying = [...after].flatMap(([name, now]) => {
    const old = before.get(name)
    return old && old.parent === now.parent
      ? [{ parent: now.parent, before: old.index, after: now.index }]
      : []
  })
  const needed = new Map<string | null, number>()
  for (const [parent, siblings] of Map.groupBy(staying, (one) => one.parent)) {
    const order = siblings.toSorted((a, b) => a.after - b.after).map((one) => one.before)
    const kept = longestIncreasingSubsequence(order).reduce((sum, isKept) => sum + isKept, 0)
    needed.set(parent, order.length - kept)
  }
  return needed
}

async function setHeat(memory: Memory, seen: Map<string, Seen>): Promise<void> {
  let at = 0
  for (const { id } of seen.values()) {
    at++
    await memory.pin({ id, temperature: (at % 97) / 100 })
    if (at % 2 === 0) await memory.unpin(id)
  }
}

test(
  'inserting, deleting or moving a block leaves every other block what it was',
  async () => {
    await using at = await openWorkspace()
    const name = createNames()
    let file = 0
    await fc.assert(
      fc.asyncProperty(sources, edits, async (unnamed, steps) => {
        const path = `run/${file++}.md`
        let blocks: Source[] = unnamed.map((block) => ({ ...block, name: name() }))
        at.file(path, toMarkdown(blocks))
        await at.memory.compile(join(at.folder, path))
        let before = await look(at.memory, path)
        expect([...before.keys()].toSorted()).toEqual(blocks.map((block) => block.name).toSorted())
        await setHeat(at.memory, before)
        before = await look(at.memory, path)
        for (const step of steps) {
          const { next, touched } = apply(blocks, step, name)
          at.file(path, toMarkdown(next))
          const result = await at.memory.compile(join(at.folder, path))
          const after = await look(at.memory, path)
          expectSameIdentity(before, after, touched)
          if (touched.kind !== 'heading') {
            expect([result.added, result.removed]).toEqual([
              next.length > blocks.length ? 1 : 0,
              next.length < blocks.length ? 1 : 0,
            ])
            expect(result.modified).toBeLessThanOrEqual(next.length === blocks.length ? 1 : 0)
          }
          await expectSound(at.memory)
          blocks = next
          before = after
        }
        at.remove(path)
        await at.memory.compile(join(at.folder, 'run'))
      }),
      { numRuns: 60 * RUNS, interruptAfterTimeLimit: 45_000 * RUNS },
    )
  },
  60_000 * RUNS,
)

function expectSameIdentity(before: Map<string, Seen>, after: Map<string, Seen>, touched: Source): void {
  const moves = movesNeeded(before, after)
  for (const [name, now] of after) {
    const old = before.get(name)
    if (!old) {
      expect(name).toBe(touched.name)
      continue
    }
    expect(now.id).toBe(old.id)
    expect(now.heat).toEqual(old.heat)
    const news = now.history.length - old.history.length
    expect(now.history.slice(news)).toEqual(old.history)
    if (now.parent !== old.parent) expect(news).toBe(1)
    else if (news > 0) moves.set(now.parent, (moves.get(now.parent) ?? 0) - news)
  }
  // No more of those that stayed with their parent have a new version than the new order takes.
  expect([...moves.values()].filter((left) => left !== 0)).toEqual([])
  const lost = [...before.keys()].filter((name) => !after.has(name))
  expect(lost.filter((name) => name !== touched.name)).toEqual([])
}
