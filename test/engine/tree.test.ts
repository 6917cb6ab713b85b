import { describe, expect, test } from 'vitest'
import { treeText } from '../../src/core/find/read/tree-text.ts'
import type { TreeInput, TreeNode } from '../../src/index.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { heatOf, idOf, openWorkspace } from '../support/engine.ts'

const FILES = {
  'b.md': '# B\n\nIn b.\n',
  'a.md': 'Before.\n\n# A\n\n## One\n\n### Deep\n\n#### Deeper\n\nDown.\n\n## Two\n\n# Z\n',
}
const WHOLE = ['Before.', 'A', 'One', 'Deep', 'Deeper', 'Down.', 'Two', 'Z', 'B', 'In b.']

async function pages(memory: Memory, input: TreeInput): Promise<TreeNode[][]> {
  const all: TreeNode[][] = []
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<Memory['tree']>> = await memory.tree(after ? { ...input, after } : input)
    all.push(page.nodes)
    after = page.next
  } while (after)
  return all
}
const labels = (nodes: TreeNode[]) => nodes.map(({ label }) => label)

describe('tree', () => {
  test('is an outline in document order, collapsed below three levels', async () => {
    await using at = await openWorkspace(FILES)
    const answer = await at.memory.tree()
    const text = treeText(answer).replaceAll(/id=\w{11}/g, 'id=ID')
    expect(text).toBe(`[text] Before. (id=ID file=a.md temp=0.50 tok=2)
[heading] A (id=ID file=a.md temp=0.50 tok=1)
  [heading] One (id=ID temp=0.50 tok=1)
    [heading] Deep (id=ID temp=0.50 tok=1)
      [heading] Deeper (id=ID temp=0.50 tok=2) … 1 node below
  [heading] Two (id=ID temp=0.50 tok=1)
[heading] Z (id=ID file=a.md temp=0.50 tok=1)
[heading] B (id=ID file=b.md temp=0.50 tok=1)
  [text] In b. (id=ID temp=0.50 tok=2)`)
    expect(answer.next).toBeNull()
  })

  test('goes as deep as one asks, and tells how many nodes are hidden below', async () => {
    await using at = await openWorkspace(FILES)
    const { nodes } = await at.memory.tree({ depth: 0 })
    expect(nodes.map(({ label, children, hidden }) => [label, children, hidden])).toEqual([
      ['Before.', 0, 7],
      ['B', 1, 1],
    ])
    expect(labels((await at.memory.tree({ depth: 128 })).nodes)).toEqual(WHOLE)
  })

  test('does not count what is hidden beyond a hundred', async () => {
    const many = Array.from({ length: 150 }, (_, at) => `Item ${at}.`).join('\n\n')
    await using at = await openWorkspace({ 'a.md': `# Many\n\n${many}\n` })
    expect(treeText(await at.memory.tree({ depth: 0 }))).toMatch(/ … 100\+ nodes below$/)
  })

  test('of a subtree begins with its root and keeps its depth', async () => {
    await using at = await openWorkspace(FILES)
    const root = await idOf(at.memory, 'One')
    const answer = await at.memory.tree({ root, depth: 1 })
    expect(answer.nodes.map(({ label, depth }) => [label, depth])).toEqual([
      ['One', 1],
      ['Deep', 2],
    ])
    expect(treeText(answer)).toMatch(/^\[heading\] One .*\n {2}\[heading\] Deep .* … 2 nodes below$/)
    expect((await pages(at.memory, { root, depth: 9, limit: 1 })).map(labels)).toEqual([
      ['One'],
      ['Deep'],
      ['Deeper'],
      ['Down.'],
    ])
  })

  test('of a node at the top of its document ends with the next one there', async () => {
    await using at = await openWorkspace(FILES)
    const lastLine = async (input: TreeInput) =>
      treeText(await at.memory.tree(input))
        .split('\n')
        .at(-1)
    const root = await idOf(at.memory, 'A')
    const line = `… next in this document: id=${await idOf(at.memory, 'Z')}`
    expect(await lastLine({ root })).toBe(line)
    expect(await lastLine({ root, limit: 2 })).toMatch(/^… more: after=/)
    expect(await lastLine({ root, after: await idOf(at.memory, 'One') })).toBe(line)
    for (const label of ['Z', 'One', 'B'])
      expect(await lastLine({ root: await idOf(at.memory, label) })).not.toMatch(/^…/)
  })

  test('pages of any size are the whole', async () => {
    await using at = await openWorkspace(FILES)
    for (let limit = 1; limit <= WHOLE.length + 1; limit++) {
      const found = await pages(at.memory, { depth: 9, limit })
      expect(labels(found.flat())).toEqual(WHOLE)
      expect(found.every((nodes) => nodes.length <= limit)).toBe(true)
    }
    const collapsed = await pages(at.memory, { depth: 1, limit: 2 })
    expect(labels(collapsed.flat())).toEqual(labels((await at.memory.tree({ depth: 1 })).nodes))
  })

  test('a page that begins in the middle says below what', async () => {
    await using at = await openWorkspace(FILES)
    const first = await at.memory.tree({ limit: 3 })
    const answer = await at.memory.tree({ limit: 3, after: first.next ?? '' })
    const one = await idOf(at.memory, 'One')
    expect(answer.under).toEqual({ id: one, label: 'One' })
    expect(treeText(answer).replaceAll(/(id|after)=\w{11}/g, '$1=ID')).toBe(`… under One (id=ID)
    [heading] Deep (id=ID file=a.md temp=0.50 tok=1)
      [heading] Deeper (id=ID temp=0.50 tok=2) … 1 node below
  [heading] Two (id=ID temp=0.50 tok=1)
… more: after=ID`)
  })

  test('goes on where it was, whatever else changed', async () => {
    await using at = await openWorkspace(FILES)
    const { next } = await at.memory.tree({ limit: 4, depth: 9 })
    const after = next ?? ''
    const rest = async () => labels((await at.memory.tree({ after, depth: 9 })).nodes)
    expect(await rest()).toEqual(WHOLE.slice(4))
    await at.compile({ 'a.md': `New.\n\n${FILES['a.md']}`, '0.md': 'Before all.\n', 'c.md': '# C\n' })
    expect(await rest()).toEqual([...WHOLE.slice(4), 'C'])
  })

  test('goes on after a node that is gone, with all that was above it', async () => {
    await using at = await openWorkspace(FILES)
    const after = await idOf(at.memory, 'Deeper')
    const rest = async () => labels((await at.memory.tree({ after, depth: 9 })).nodes)
    await at.memory.forget({ id: after, mode: 'cascade' })
    expect(await rest()).toEqual(['Two', 'Z', 'B', 'In b.'])
    await at.memory.forget({ id: await idOf(at.memory, 'A'), mode: 'cascade' })
    expect(await rest()).toEqual(['Z', 'B', 'In b.'])
    at.remove('a.md')
    await at.compile()
    expect(await rest()).toEqual(['B', 'In b.'])
  })

  test('ends a page where the budget ends, and gives one node at least', async () => {
    const path = `${'folder/'.repeat(30)}a.md`
    const beta = 'Beta, which has a longer name than the others'
    await using at = await openWorkspace({ [path]: `# Alpha\n\n## ${beta}\n\n## Gamma, a long one too\n` })
    const found = await pages(at.memory, { budget: 50 })
    expect(found.map(labels)).toEqual([['Alpha', beta], ['Gamma, a long one too']])
    const first = await at.memory.tree({ budget: 50 })
    expect(treeText(first)).toMatch(
      /^\[heading\] Alpha \(id=\w{11}\)\n {2}\[heading\] Beta.*\n… more: after=\w{11}$/,
    )
  })

  test('of an empty memory is empty, and says so', async () => {
    await using at = await openWorkspace()
    const answer = await at.memory.tree()
    expect(answer).toEqual({ nodes: [], topDepth: 0, under: null, next: null })
    expect(treeText(answer)).toBe('empty tree')
  })

  test('warms what it shows by less than reading does', async () => {
    await using at = await openWorkspace(FILES)
    await at.memory.tree({ depth: 0, warm: false })
    await at.memory.tree({ depth: 0 })
    const memory = await at.reopen()
    const heat = [...heatOf(memory).values()].filter(({ accesses }) => accesses > 0)
    expect(heat).toHaveLength(2)
    for (const { value, accesses } of heat) {
      expect(accesses).toBe(1)
      expect(value).toBeCloseTo(0.515, 3)
    }
  })

  test('refuses what cannot be meant', async () => {
    await using at = await openWorkspace(FILES)
    const one = await idOf(at.memory, 'One')
    await expect(at.memory.tree({ root: 'nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const wrong = [{ limit: 0 }, { depth: -1 }, { budget: 10 }, { after: 'nobody' }, { after: '' }]
    for (const input of wrong)
      await expect(at.memory.tree(input)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    const elsewhere = await idOf(at.memory, 'In b.')
    await expect(at.memory.tree({ root: one, after: elsewhere })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^after must be the after= of the last line of an earlier answer/),
    })
  })
})
