import { describe, expect, test } from 'vitest'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { idOf, openWorkspace } from '../support/engine.ts'

/** Edges as `from -> to (weight origin)` by label, and what waits as `from -> "label"`. */
async function linksOf(memory: Memory): Promise<string[]> {
  const { nodes, edges, pending } = await memory.graph()
  const labels = new Map(nodes.map(({ id, label }) => [id, label]))
  const waiting = pending.map(
    ({ source, target_label, target_source, target_id_hint }) =>
      `${labels.get(source)} -> "${[target_label, target_source, target_id_hint].filter(Boolean).join(' | ')}"`,
  )
  const found = edges.map(
    ({ source, target, weight, origin }) =>
      `${labels.get(source)} -> ${labels.get(target)} (${weight} ${origin})`,
  )
  await expectHealthy(memory)
  return [...found.sort(), ...waiting.sort()]
}

/** Doctor computes every link anew, from nothing but the texts. */
async function expectHealthy(memory: Memory): Promise<void> {
  const { checks } = await memory.doctor()
  expect(checks.filter(({ status }) => status !== 'pass')).toEqual([])
}

async function counts(memory: Memory) {
  const { relations } = await memory.overview()
  return relations
}

describe('a link in a text', () => {
  test('leads to the heading it names, whatever the case, with its weight', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n\nSee [[DEPLOY; w=2.5]].\n', 'b.md': '# Deploy\n' })
    expect(await linksOf(at.memory)).toEqual(['See [[DEPLOY]]. -> Deploy (2.5 parsed)'])
    expect(await counts(at.memory)).toEqual({ total: 1, by_origin: { parsed: 1 }, pending: 0 })
  })

  test('waits for a heading that is not there yet, and finds it when it comes', async () => {
    await using at = await openWorkspace({ 'a.md': 'See [[Deploy]].\n' })
    expect(await linksOf(at.memory)).toEqual(['See [[Deploy]]. -> "Deploy"'])
    expect(await counts(at.memory)).toEqual({ total: 0, by_origin: {}, pending: 1 })
    await at.compile({ 'b.md': '# Deploy\n' })
    expect(await linksOf(at.memory)).toEqual(['See [[Deploy]]. -> Deploy (1 parsed)'])
  })

  test('finds a heading that an agent writes', async () => {
    await using at = await openWorkspace({ 'a.md': 'See [[Deploy]].\n' })
    await at.memory.write({ payload: '# Deploy\n\nBack to [[Nowhere]].' })
    expect(await linksOf(at.memory)).toEqual([
      'See [[Deploy]]. -> Deploy (1 parsed)',
      'Back to [[Nowhere]]. -> "Nowhere"',
    ])
  })

  test('leads to one of many headings of its name, at the cost of one look for all such links', async () => {
    await using at = await openWorkspace()
    // A look for each of them runs into the timeout.
    const many = 8000
    await at.memory.write({
      payload: Array.from({ length: many }, (_, n) => `note ${n} on [[a]]\n\n`).join(''),
    })
    await at.memory.write({ payload: '# a\n'.repeat(many) })
    expect(await counts(at.memory)).toMatchObject({ total: many, pending: 0 })
  })

  test('goes when the text no longer has it', async () => {
    await using at = await openWorkspace({
      'a.md': 'See [[B]] and [[C]] and [[D]].\n',
      'b.md': '# B\n\n# C\n',
    })
    expect(await linksOf(at.memory)).toHaveLength(3)
    await at.compile({ 'a.md': 'See [[B]] and C and D here.\n' })
    expect(await linksOf(at.memory)).toEqual(['See [[B]] and C and D here. -> B (1 parsed)'])
    await at.compile({ 'a.md': 'See B and C and D here.\n' })
    expect(await linksOf(at.memory)).toEqual([])
    expect(await counts(at.memory)).toEqual({ total: 0, by_origin: {}, pending: 0 })
  })

  test('waits again when its target is deleted, and goes to another of that name', async () => {
    await using at = await openWorkspace({ 'a.md': 'See [[B]].\n', 'b.md': '# B\n', 'c.md': '# C\n\n## B\n' })
    const target = async () => (await at.memory.graph()).edges[0]?.target
    const first = await target()
    at.remove('b.md')
    await at.compile()
    expect(await linksOf(at.memory)).toEqual(['See [[B]]. -> B (1 parsed)'])
    expect(await target()).not.toBe(first)
    at.remove('c.md')
    await at.compile()
    expect(await linksOf(at.memory)).toEqual(['See [[B]]. -> "B"'])
    await at.compile({ 'b.md': '# B\n' })
    expect(await target()).toBe(first)
  })

  test('of eleven letters is a label, not an id', async () => {
    await using at = await openWorkspace({ 'a.md': 'See [[Environment]].\n\n# Environment\n' })
    expect(await linksOf(at.memory)).toEqual(['See [[Environment]]. -> Environment (1 parsed)'])
  })

  test('may name any node by its id, and then nothing else counts', async () => {
    await using at = await openWorkspace({ 'b.md': 'Just text.\n\n# Deploy\n' })
    const id = await idOf(at.memory, 'Just text.')
    await at.compile({ 'a.md': `[[Deploy; id=${id}]]\n\n[[Deploy; id=00000000000]]\n` })
    expect(await linksOf(at.memory)).toEqual([
      '[[Deploy]] -> Just text. (1 parsed)',
      '[[Deploy]] -> "Deploy | 00000000000"',
    ])
    at.remove('b.md')
    await at.compile()
    expect(await linksOf(at.memory)).toEqual([
      '[[Deploy]] -> "Deploy | 00000000000"',
      `[[Deploy]] -> "Deploy | ${id}"`,
    ])
    await at.compile({ 'b.md': 'Just text.\n' })
    expect((await at.memory.graph()).edges).toMatchObject([{ target: id }])
  })

  test.each([
    ['b.md', 'docs/b.md'],
    ['docs/b.md', 'docs/b.md'],
    ['x_.md', 'x_.md'],
    ['100%.md', '100%.md'],
    ['B.md', null],
    ['x%', null],
    ['s/b.md', null],
    ['c', null],
    ['nowhere.md', null],
  ])('with source=%s means %s, literally', async (source, path) => {
    await using at = await openWorkspace({
      'a.md': `[[Deploy; source=${source}]]\n`,
      ...Object.fromEntries(
        ['docs/b.md', 'x_.md', 'xy.md', '100%.md', 'abc.md'].map((name) => [name, '# Deploy\n']),
      ),
    })
    const { edges } = await at.memory.graph()
    const { roots } = await at.memory.forest()
    expect(roots.find(({ id }) => id === edges[0]?.target)?.source ?? null).toBe(path)
    await expectHealthy(at.memory)
  })

  test('means the first file by path, then the highest heading, however they came', async () => {
    const files = {
      'm.md': '# X\n\n## Y\n\n### Deploy\n\n# Z\n\n## Deploy\n',
      'z.md': '# Deploy\n',
      'a.md': '[[Deploy]]\n',
    }
    await using at = await openWorkspace({ 'z.md': files['z.md'], 'a.md': files['a.md'] })
    await at.compile(files)
    await using other = await openWorkspace(files)
    const target = async (memory: Memory) => (await memory.graph()).edges[0]?.target
    expect(await target(at.memory)).toBe(await target(other.memory))
    const { roots } = await at.memory.forest()
    const z = roots.find(({ label }) => label === 'Z')
    expect(await target(at.memory)).toBe(z?.children[0]?.id)
  })

  test('means the other heading when one moves down in its file', async () => {
    const other = '# Q\n\n## R\n\n### Deploy\n'
    await using at = await openWorkspace({ 'a.md': '[[Deploy]]\n', 'b.md': `# P\n\n## Deploy\n\n${other}` })
    const target = async () => (await at.memory.graph()).edges[0]?.target
    const first = await target()
    await at.compile({ 'b.md': `# P\n\n## S\n\n### T\n\n#### Deploy\n\n${other}` })
    expect(await target()).not.toBe(first)
    await expectHealthy(at.memory)
    await at.compile({ 'b.md': `# P\n\n## Deploy\n\n${other}` })
    expect(await target()).toBe(first)
  })

  test('follows a file that is renamed', async () => {
    await using at = await openWorkspace({
      'a.md': '[[Deploy; source=b.md]]\n',
      'b.md': '# Deploy\n\nText.\n',
    })
    expect(await linksOf(at.memory)).toHaveLength(1)
    at.remove('b.md')
    await at.compile({ 'c.md': '# Deploy\n\nText.\n' })
    expect(await linksOf(at.memory)).toEqual(['[[Deploy]] -> "Deploy | b.md"'])
    await at.compile({ 'a.md': '[[Deploy; source=c.md]]\n' })
    expect(await linksOf(at.memory)).toEqual(['[[Deploy]] -> Deploy (1 parsed)'])
  })

  test('twice to one target is one edge, and the last weight counts', async () => {
    await using at = await openWorkspace({
      'a.md': '[[B; w=2]] [[b; w=3]] [[B; source=b.md; w=4]]\n',
      'b.md': '# B\n',
    })
    expect(await linksOf(at.memory)).toEqual(['[[B]] [[b]] [[B]] -> B (4 parsed)'])
    expect(await counts(at.memory)).toEqual({ total: 1, by_origin: { parsed: 1 }, pending: 0 })
  })

  test('is part of what the node says: a new weight is a change, and a rollback brings the old one back', async () => {
    await using at = await openWorkspace({ 'a.md': 'See [[B; w=2]].\n', 'b.md': '# B\n' })
    const { modified, snapshot } = await at.compile({ 'a.md': 'See [[B; w=3]].\n' })
    expect(modified).toBe(1)
    expect(await linksOf(at.memory)).toEqual(['See [[B]]. -> B (3 parsed)'])
    await at.memory.rollback({ snapshotId: (snapshot?.id ?? 0) - 1 })
    expect(await linksOf(at.memory)).toEqual(['See [[B]]. -> B (2 parsed)'])
    expect((await at.compile()).total).toBe(0)
    expect(await linksOf(at.memory)).toEqual(['See [[B]]. -> B (2 parsed)'])
  })

  test('follows the file where an agent only moved the node', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n\n## B\n\nSee [[C; w=2]].\n', 'c.md': '# C\n' })
    await at.memory.forget({ id: await idOf(at.memory, 'B'), mode: 'reparent' })
    await at.compile({ 'a.md': '# A\n\n## B\n\nSee [[C; w=5]].\n' })
    expect(await linksOf(at.memory)).toEqual(['See [[C]]. -> C (5 parsed)'])
  })

  test('comes with a summary, and goes with one', async () => {
    await using at = await openWorkspace({ 'a.md': 'Long text about [[B]].\n', 'b.md': '# B\n\n# C\n' })
    const id = await idOf(at.memory, 'Long text about [[B]].')
    await at.memory.summarize({ id, summary: 'See [[C; w=2]].' })
    expect(await linksOf(at.memory)).toEqual(['Summary: See [[C]]. -> C (2 parsed)'])
    await at.memory.summarize({ id, summary: 'Nothing.' })
    expect(await linksOf(at.memory)).toEqual([])
  })

  test('is none in the summary of code', async () => {
    await using at = await openWorkspace({ 'a.md': '```sh\nlong code\nand more\n```\n' })
    const id = await idOf(at.memory, 'sh\nlong code\nand more')
    const summary = 'if [[ -f x; y=1 ]]; then echo; fi'
    await at.memory.summarize({ id, summary })
    expect(await idOf(at.memory, summary)).toBe(id)
    expect(await linksOf(at.memory)).toEqual([])
  })

  test('still finds a heading that was summarized', async () => {
    await using at = await openWorkspace({ 'a.md': '[[Deploy]]\n', 'b.md': '# Deploy\n' })
    await at.memory.summarize({ id: await idOf(at.memory, 'Deploy'), summary: 'How to deploy' })
    expect(await linksOf(at.memory)).toEqual(['[[Deploy]] -> Deploy (1 parsed)'])
  })
})

describe('a manual link', () => {
  test('by id or by label, beside those of the text', async () => {
    await using at = await openWorkspace({ 'a.md': 'See [[B]].\n', 'b.md': '# B\n\nText of b.\n' })
    const [a, b, text] = await Promise.all(
      ['See [[B]].', 'B', 'Text of b.'].map((said) => idOf(at.memory, said)),
    )
    const sourceId = a as string
    expect(await at.memory.relate({ sourceId, targetId: b as string, weight: 3 })).toEqual({
      status: 'resolved',
      targetId: b,
    })
    expect(await at.memory.relate({ sourceId, targetId: text as string })).toMatchObject({
      status: 'resolved',
    })
    expect(await at.memory.relate({ sourceId, targetLabel: ' Later ' })).toEqual({
      status: 'pending',
      label: 'Later',
    })
    expect(await linksOf(at.memory)).toEqual([
      'See [[B]]. -> B (1 parsed)',
      'See [[B]]. -> B (3 manual)',
      'See [[B]]. -> Text of b. (1 manual)',
      'See [[B]]. -> "Later"',
    ])
    expect(await counts(at.memory)).toEqual({ total: 3, by_origin: { manual: 2, parsed: 1 }, pending: 1 })
    await at.compile({ 'c.md': '# Later\n' })
    expect(await counts(at.memory)).toMatchObject({ by_origin: { manual: 3 }, pending: 0 })
  })

  test('makes no snapshot, and again with another weight is the same link', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n\n# B\n' })
    const [sourceId, targetId] = [await idOf(at.memory, 'A'), await idOf(at.memory, 'B')]
    await at.memory.relate({ sourceId, targetId })
    await at.memory.relate({ sourceId, targetId, weight: 0.5 })
    expect(await linksOf(at.memory)).toEqual(['A -> B (0.5 manual)'])
    expect(await at.memory.snapshots()).toHaveLength(1)
  })

  test('is left alone by a compile, sleeps while its source is gone and wakes with it', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n', 'b.md': '# B\n' })
    const sourceId = await idOf(at.memory, 'A')
    await at.memory.relate({ sourceId, targetLabel: 'B', weight: 2 })
    at.remove('a.md')
    await at.compile()
    expect(await linksOf(at.memory)).toEqual([])
    expect(await counts(at.memory)).toEqual({ total: 0, by_origin: {}, pending: 0 })
    await at.compile({ 'a.md': '# A\n' })
    expect(await linksOf(at.memory)).toEqual(['A -> B (2 manual)'])
  })

  test('waits while its target is gone', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n', 'b.md': 'Text.\n' })
    const [sourceId, targetId] = [await idOf(at.memory, 'A'), await idOf(at.memory, 'Text.')]
    await at.memory.relate({ sourceId, targetId })
    const { snapshot } = await at.memory.forget({ id: targetId })
    expect(await linksOf(at.memory)).toEqual([`A -> "${targetId}"`])
    await at.memory.rollback({ snapshotId: (snapshot?.id ?? 0) - 1 })
    expect(await linksOf(at.memory)).toEqual(['A -> Text. (1 manual)'])
  })

  test('is taken away by unrelate', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n\nSee [[B]].\n\n# B\n' })
    const { memory } = at
    const [sourceId, targetId] = [await idOf(memory, 'A'), await idOf(memory, 'B')]
    await memory.relate({ sourceId, targetId })
    await memory.relate({ sourceId, targetLabel: 'B' })
    expect(await memory.unrelate({ sourceId, targetId })).toBe(2)
    await memory.relate({ sourceId, targetLabel: 'Nowhere', targetSource: 'x.md' })
    await expect(memory.unrelate({ sourceId, targetLabel: 'Nowhere' })).rejects.toThrow(
      'no manual link to "Nowhere"',
    )
    expect(await memory.unrelate({ sourceId, targetLabel: 'nowhere', targetSource: 'x.md' })).toBe(1)
    expect(await linksOf(memory)).toEqual(['See [[B]]. -> B (1 parsed)'])
    const parsed = { sourceId: await idOf(memory, 'See [[B]].'), targetId }
    await expect(memory.unrelate(parsed)).rejects.toThrow(
      /is written in the text of node .*; change the text/,
    )
  })

  test.each([
    [{ sourceId: 'none', targetLabel: 'B' }, 'source_id not found: none'],
    [{ targetId: 'none' }, 'target_id not found: none'],
    [{}, 'target_id or target_label is required'],
    [{ targetLabel: '  ' }, 'target_id or target_label is required'],
    [{ targetLabel: 'B', weight: Number.NaN }, 'weight must be a number'],
  ])('is refused: %j', async (input, message) => {
    await using at = await openWorkspace({ 'a.md': '# A\n' })
    const sourceId = await idOf(at.memory, 'A')
    await expect(at.memory.relate({ sourceId, ...input })).rejects.toThrow(message)
    expect(await linksOf(at.memory)).toEqual([])
  })
})

test('links of an erased document leave nothing behind', async () => {
  await using at = await openWorkspace({ 'a.md': '# A\n\nSee [[Secret words]].\n', 'b.md': '# B\n\n[[A]]\n' })
  await at.memory.relate({ sourceId: await idOf(at.memory, 'A'), targetLabel: 'More secret words' })
  expect(await counts(at.memory)).toMatchObject({ total: 1, pending: 2 })
  await at.memory.erase({ kind: 'source', root: at.folder, path: 'a.md' })
  expect(await linksOf(at.memory)).toEqual(['[[A]] -> "A"'])
  expect(await counts(at.memory)).toEqual({ total: 0, by_origin: {}, pending: 1 })
})

test('links survive a rollback that drops what came after', async () => {
  await using at = await openWorkspace({ 'a.md': '[[B]]\n' })
  await at.compile({ 'b.md': '# B\n' })
  await at.memory.relate({ sourceId: await idOf(at.memory, 'B'), targetLabel: 'X' })
  await at.memory.rollback({ snapshotId: 1, dropAfter: true })
  expect(await linksOf(at.memory)).toEqual(['[[B]] -> "B"'])
})
