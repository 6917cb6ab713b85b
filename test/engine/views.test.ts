import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ForestNode } from '../../src/core/observe/forest.ts'
import { idOf, openWorkspace, temporaryFolder } from '../support/engine.ts'

const FILES = {
  'b.md': '# B\n\nIn b.\n',
  'a.md': 'Before.\n\n# A\n\n## One\n\n### Deep\n\nDown.\n\n## Two\n\n# Z\n',
}

function shape(nodes: readonly ForestNode[]): unknown[] {
  return nodes.map(({ label, depth, children }) => [label, depth, ...shape(children)])
}

describe('forest', () => {
  test('has files by path and blocks in document order, and counts depth from 0', async () => {
    await using at = await openWorkspace(FILES)
    await at.memory.write({ payload: 'A note.' })
    expect(shape((await at.memory.forest()).roots)).toEqual([
      ['Before.', 0],
      ['A', 0, ['One', 1, ['Deep', 2, ['Down.', 3]]], ['Two', 1]],
      ['Z', 0],
      ['B', 0, ['In b.', 1]],
      ['A note.', 0],
    ])
  })

  test('has the keys of the envelope, in their order', async () => {
    await using at = await openWorkspace({ 'a.md': 'Only this.\n' })
    const { roots } = await at.memory.forest()
    expect(JSON.stringify(roots)).toBe(
      JSON.stringify([
        {
          id: 'FC4TQ4IMGIk',
          type: 'text',
          label: 'Only this.',
          depth: 0,
          tokens: 3,
          temperature: 0.5,
          source: 'a.md',
          children: [],
        },
      ]),
    )
  })

  test('of a subtree keeps its depth, however few generations are asked for', async () => {
    await using at = await openWorkspace(FILES)
    const rootId = await idOf(at.memory, 'One')
    const deep = ['Deep', 2, ['Down.', 3]]
    expect(shape((await at.memory.forest({ rootId })).roots)).toEqual([['One', 1, deep]])
    expect(shape((await at.memory.forest({ rootId, depth: 0 })).roots)).toEqual([['One', 1, deep]])
    expect(shape((await at.memory.forest({ rootId, depth: 1 })).roots)).toEqual([['One', 1, ['Deep', 2]]])
    expect(shape((await at.memory.forest({ rootId, depth: 99 })).roots)).toEqual([['One', 1, deep]])
    expect(shape((await at.memory.forest({ depth: 1 })).roots)).toEqual([
      ['Before.', 0],
      ['A', 0, ['One', 1], ['Two', 1]],
      ['Z', 0],
      ['B', 0, ['In b.', 1]],
    ])
  })

  test('refuses an unknown root and a depth that is none', async () => {
    await using at = await openWorkspace(FILES)
    await expect(at.memory.forest({ rootId: 'AAAAAAAAAAA' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    for (const depth of [-1, 1.5, Number.NaN])
      await expect(at.memory.forest({ depth })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  test('of an empty memory is empty', async () => {
    await using at = await openWorkspace()
    expect(await at.memory.forest()).toEqual({ roots: [] })
    expect(await at.memory.files()).toEqual({ roots: [] })
    expect((await at.memory.doctor()).status).toBe('pass')
  })
})

test('files lists sources by root, and notes last', async () => {
  await using at = await openWorkspace(FILES)
  const others = [temporaryFolder(), temporaryFolder()]
  for (const folder of others) {
    writeFileSync(join(folder, 'z.md'), 'Zulu.\n')
    await at.memory.compile(folder)
  }
  await at.memory.write({ payload: 'A note.' })
  await at.memory.write({ payload: 'Another note.' })
  const { roots } = await at.memory.files()
  expect(roots.map(({ root }) => root)).toEqual([...[at.folder, ...others].sort(), ''])
  expect(roots.find(({ root }) => root === at.folder)?.files).toEqual([
    { path: 'a.md', nodes: 7, tokens: 9 },
    { path: 'b.md', nodes: 2, tokens: 3 },
  ])
  expect(roots.at(-1)?.files).toEqual([{ path: 'mcp:write', nodes: 2, tokens: 6 }])
})

test('doctor finds nothing wrong with a memory that became empty while it was open', async () => {
  await using at = await openWorkspace({ 'a.md': 'Only this.\n' })
  expect((await at.memory.doctor()).status).toBe('pass')
  await at.memory.forget({ id: await idOf(at.memory, 'Only this.') })
  expect((await at.memory.doctor()).checks.filter(({ status }) => status !== 'pass')).toEqual([])
})
