import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ForestNode } from '../../src/core/observe/forest.ts'
import type { ForestPageNode } from '../../src/core/observe/forest-page.ts'
import { idOf, openWorkspace, type Workspace } from '../support/engine.ts'
import { allPages, watch } from '../support/resources.ts'

const FILES = {
  'a.md': `# A\n\nTo [[B]], [[C]], [[D]], [[nowhere]].\n\n## One\n\n### Deep\n\nDown to [[A]].\n\n## Two\n\n- x\n- y\n`,
  'b.md': '# B\n\nBack to [[A]] and [[A; w=3]], on to [[lost]] and [[gone]].\n',
  'c.md': '# C\n\n# D\n',
}

async function linkedWorkspace(): Promise<Workspace> {
  const at = await openWorkspace(FILES)
  for (const payload of ['One note.', 'Another, on [[B]].']) await at.memory.write({ payload })
  await at.memory.relate({ sourceId: await idOf(at.memory, 'C'), targetId: await idOf(at.memory, 'D') })
  return at
}

function flatOf(nodes: readonly ForestNode[], parentId: string | null = null): ForestPageNode[] {
  return nodes.flatMap(({ children, id, ...node }) => [
    { ...node, id, parent_id: parentId, child_count: children.length },
    ...flatOf(children, id),
  ])
}

const LIMITS = [1, 2, 3, 7, 1000]

test('pages of the tree are the whole tree, flat and in document order', async () => {
  await using at = await linkedWorkspace()
  await using seen = await watch(at.memory.path)
  const whole = flatOf((await seen.json('remindb://tree')).roots)
  expect(whole.length).toBeGreaterThan(10)
  for (const limit of LIMITS) {
    const pages = await allPages(seen, 'remindb://tree', ({ nodes }) => nodes.length, limit)
    expect(pages.flatMap(({ nodes }) => nodes)).toEqual(whole)
  }
})

test('pages of a subtree are that, down to the depth that is asked for', async () => {
  await using at = await linkedWorkspace()
  await using seen = await watch(at.memory.path)
  const [a, one] = [await idOf(at.memory, 'A'), await idOf(at.memory, 'One')]
  for (const limit of LIMITS) {
    const labels = async (uri: string) =>
      (await allPages(seen, uri, ({ nodes }) => nodes.length, limit)).flatMap(({ nodes }) =>
        nodes.map((node: ForestPageNode) => `${node.depth} ${node.label}`),
      )
    expect(await labels(`remindb://tree/${one}`)).toEqual(['1 One', '2 Deep', '3 Down to [[A]].'])
    expect(await labels(`remindb://tree/${a}?depth=1`)).toEqual([
      '0 A',
      '1 To [[B]], [[C]], [[D]], [[nowhere]].',
      '1 One',
      '1 Two',
    ])
  }
  expect((await seen.json(`remindb://tree/${one}?limit=1`)).nodes[0]).toMatchObject({ parent_id: a })
})

test('a cursor still leads on when its node is gone, and not into another subtree', async () => {
  await using at = await linkedWorkspace()
  await using seen = await watch(at.memory.path)
  const [one, two] = [await idOf(at.memory, 'One'), await idOf(at.memory, 'Two')]
  const { next_cursor: cursor } = await seen.json(`remindb://tree/${one}?limit=2`)
  await expect(seen.read(`remindb://tree/${two}?cursor=${cursor}`)).rejects.toThrow('invalid cursor')
  const note = await idOf(at.memory, 'One note.')
  await at.memory.forget({ id: note })
  const { nodes } = await seen.json(`remindb://tree?cursor=${note}`)
  expect(nodes.map((node: ForestPageNode) => node.label)).not.toContain('A')
})

test('pages of the graph have every edge and every pending link once, with their nodes', async () => {
  await using at = await linkedWorkspace()
  await using seen = await watch(at.memory.path)
  const whole = await seen.json('remindb://graph')
  expect([whole.edges.length, whole.pending.length]).toEqual([7, 3])
  for (const limit of LIMITS) {
    const count = (page: typeof whole) => page.edges.length + page.pending.length
    const pages = await allPages(seen, 'remindb://graph', count, limit)
    expect(pages.flatMap(({ edges }) => edges)).toEqual(whole.edges)
    expect(pages.flatMap(({ pending }) => pending)).toEqual(whole.pending)
    const nodes = new Map(pages.flatMap((page) => page.nodes.map((node: { id: string }) => [node.id, node])))
    expect(nodes.size).toBe(whole.nodes.length)
    for (const page of pages) {
      const ends = new Set([
        ...page.edges.flatMap(({ source, target }: { source: string; target: string }) => [source, target]),
        ...page.pending.map(({ source }: { source: string }) => source),
      ])
      expect(new Set(page.nodes.map((node: { id: string }) => node.id))).toEqual(ends)
    }
  }
})

test('pages of snapshots go back to the first; a page may begin after any snapshot', async () => {
  await using at = await linkedWorkspace()
  await using seen = await watch(at.memory.path)
  const { snapshots } = await seen.json('remindb://snapshots')
  for (const limit of LIMITS) {
    const pages = await allPages(seen, 'remindb://snapshots', (page) => page.snapshots.length, limit)
    expect(pages.flatMap((page) => page.snapshots)).toEqual(snapshots)
  }
  expect(await seen.json('remindb://snapshots?cursor=2')).toEqual({
    snapshots: snapshots.slice(-1),
    next_cursor: null,
  })
})

test('pages of diffs are those of the one snapshot', async () => {
  await using at = await linkedWorkspace()
  await using seen = await watch(at.memory.path)
  const whole = await seen.json('remindb://snapshots/1/diffs')
  expect(whole.diffs.length).toBeGreaterThan(5)
  for (const limit of LIMITS) {
    const pages = await allPages(seen, 'remindb://snapshots/1/diffs', ({ diffs }) => diffs.length, limit)
    expect(pages.flatMap(({ diffs }) => diffs)).toEqual(whole.diffs)
  }
})

test('pages of temperature have every node, and the summary of all on the first', async () => {
  await using at = await linkedWorkspace()
  await using seen = await watch(at.memory.path)
  const whole = await seen.json('remindb://temperature')
  for (const limit of LIMITS) {
    const pages = await allPages(seen, 'remindb://temperature', ({ nodes }) => nodes.length, limit)
    expect(pages.flatMap(({ nodes }) => nodes)).toEqual(whole.nodes)
    const [first, ...rest] = pages
    expect(first.summary).toEqual(whole.summary)
    expect(rest.filter(({ summary }) => summary !== null)).toEqual([])
  }
})

test('whatever a cursor says, a page is an answer or INVALID_INPUT', async () => {
  await using at = await linkedWorkspace()
  await using seen = await watch(at.memory.path)
  const cursors = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.stringMatching(/^((edge|pending)\.?)?\d{1,17}(\.\d{1,3}){0,3}$/),
  )
  const places = fc.constantFrom('tree', 'graph', 'snapshots', 'snapshots/1/diffs', 'temperature')
  await fc.assert(
    fc.asyncProperty(places, cursors, async (place, cursor) => {
      const reading = seen.json(`remindb://${place}?limit=3&cursor=${encodeURIComponent(cursor)}`)
      const answer = await reading.catch((error) => error.code)
      if (typeof answer === 'string') expect(answer).toBe('INVALID_INPUT')
      else expect(answer).toHaveProperty('next_cursor')
    }),
    { numRuns: 300 },
  )
})
