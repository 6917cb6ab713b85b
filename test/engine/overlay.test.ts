import { describe, expect, test } from 'vitest'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import {
  expectSound,
  historyOf,
  idOf,
  idsByText,
  openWorkspace,
  outlineOf,
  stateOf,
  textOf,
  type Workspace,
} from '../support/engine.ts'
import { CHANGED_ELSEWHERE, FILE, OUTLINE } from '../support/engine-guide.ts'

interface Edit {
  name: string
  act: (memory: Memory, ids: Record<string, string>) => Promise<unknown>
  outline: string[]
}

const EDITS: Edit[] = [
  {
    name: 'write to an anchor',
    act: (memory, ids) =>
      memory.write({ anchor: ids['Install the tool first.'] as string, payload: 'Install nothing at all.' }),
    outline: OUTLINE.with(3, '    Install nothing at all.'),
  },
  {
    name: 'write of several blocks to an anchor',
    act: (memory, ids) =>
      memory.write({ anchor: ids['Install the tool first.'] as string, payload: 'One.\n\n- two\n\nThree.' }),
    outline: OUTLINE.toSpliced(3, 1, '    One.', '    - two', '    Three.'),
  },
  {
    name: 'write of a heading with children to a heading',
    act: (memory, ids) =>
      memory.write({ anchor: ids.Setup as string, payload: '# Preparation\n\nRead this.\n\n# After it\n' }),
    outline: OUTLINE.toSpliced(2, 1, '  Preparation').toSpliced(5, 0, '    Read this.', '  After it'),
  },
  {
    name: 'summarize',
    act: (memory, ids) =>
      memory.summarize({ id: ids['Configure it afterwards.'] as string, summary: 'Configure.' }),
    outline: OUTLINE.with(4, '    Configure.'),
  },
  {
    name: 'summarize a heading',
    act: (memory, ids) => memory.summarize({ id: ids.Setup as string, summary: 'How to set up.' }),
    outline: OUTLINE.with(2, '  How to set up.'),
  },
  {
    name: 'forget, strict',
    act: (memory, ids) => memory.forget({ id: ids['Install the tool first.'] as string }),
    outline: OUTLINE.toSpliced(3, 1),
  },
  {
    name: 'forget, cascade',
    act: (memory, ids) => memory.forget({ id: ids.Setup as string, mode: 'cascade' }),
    outline: OUTLINE.toSpliced(2, 3),
  },
  {
    name: 'forget, reparent',
    act: (memory, ids) => memory.forget({ id: ids.Setup as string, mode: 'reparent' }),
    outline: OUTLINE.toSpliced(2, 3, '  Install the tool first.', '  Configure it afterwards.'),
  },
  {
    name: 'a note under a heading',
    act: (memory, ids) => memory.write({ parent: ids.Setup as string, payload: 'Mind the step.' }),
    outline: OUTLINE.toSpliced(5, 0, '    Mind the step.'),
  },
]

const lastId = async (memory: Memory): Promise<number> => (await memory.snapshots({ limit: 1 }))[0]?.id ?? 0

describe.each(EDITS)("an agent's edit of a file survives: $name", ({ act, outline }) => {
  test('recompiles, changes elsewhere and restarts', async () => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    await act(at.memory, await idsByText(at.memory))
    expect(await lastId(at.memory)).toBe(2)
    expect(await outlineOf(at.memory)).toEqual(outline)
    await expectSound(at.memory)
    const state = await stateOf(at.memory)

    expect((await at.compile()).snapshot).toBeNull()
    await at.reopen()
    expect(await stateOf(at.memory)).toEqual(state)
    expect((await at.compile()).snapshot).toBeNull()

    const changed = await at.compile({ 'guide.md': CHANGED_ELSEWHERE })
    expect(changed).toMatchObject({ added: 2, modified: 0, removed: 0, conflicts: [] })
    expect(await outlineOf(at.memory)).toEqual(['Before all else.', ...outline, '    New at the end.'])
    await at.reopen()
    expect((await at.compile()).snapshot).toBeNull()
    const back = await at.compile({ 'guide.md': FILE })
    expect(back).toMatchObject({ added: 0, modified: 0, removed: 2, conflicts: [] })
    expect(await stateOf(at.memory)).toEqual(state)
    await expectSound(at.memory)
  })

  test('and a rollback takes it back, for good', async () => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    const before = await stateOf(at.memory)
    await act(at.memory, await idsByText(at.memory))
    await at.memory.rollback({ snapshotId: 1 })
    expect(await stateOf(at.memory)).toEqual(before)
    await at.compile({ 'guide.md': CHANGED_ELSEWHERE })
    expect(await outlineOf(at.memory)).toEqual(['Before all else.', ...OUTLINE, '    New at the end.'])
    await expectSound(at.memory)
  })
})

describe('a rollback of what a file said', () => {
  test('survives recompiles, changes elsewhere and restarts', async () => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    await at.compile({
      'guide.md': FILE.replace('Install the tool first.', 'Install the tool last.')
        .replace('Run it daily.', 'Run it daily.\n\nAdded later on.')
        .replace('Introduction to everything.\n', ''),
    })
    await at.memory.rollback({ snapshotId: 1 })
    expect(await outlineOf(at.memory)).toEqual(OUTLINE)
    await at.reopen()
    expect((await at.compile()).snapshot).toBeNull()
    const result = await at.compile({
      'guide.md': `Before all else.\n\n${FILE.replace('Install the tool first.', 'Install the tool last.')
        .replace('Run it daily.', 'Run it daily.\n\nAdded later on.')
        .replace('Introduction to everything.\n', '')}`,
    })
    expect(result).toMatchObject({ added: 1, modified: 0, removed: 0, conflicts: [] })
    expect(await outlineOf(at.memory)).toEqual(['Before all else.', ...OUTLINE])
    await expectSound(at.memory)
  })

  test('agrees with a file that goes back as well', async () => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    await at.compile({ 'guide.md': CHANGED_ELSEWHERE })
    await at.memory.rollback({ snapshotId: 1 })
    expect(await at.compile({ 'guide.md': FILE })).toMatchObject({ total: 0, conflicts: [], snapshot: null })
    const after = await at.compile({ 'guide.md': CHANGED_ELSEWHERE })
    expect(after).toMatchObject({ added: 2, modified: 0, removed: 0, conflicts: [] })
    await expectSound(at.memory)
  })

  test('brings back what a deleted file said, and the file takes it over when it returns', async () => {
    await using at = await openWorkspace({ 'guide.md': FILE, 'b.md': 'Other.\n' })
    const before = await stateOf(at.memory)
    at.remove('guide.md')
    await at.compile()
    await at.memory.rollback({ snapshotId: 1 })
    expect(await stateOf(at.memory)).toEqual(before)
    expect((await at.compile()).snapshot).toBeNull()
    expect(await at.compile({ 'guide.md': FILE })).toMatchObject({ total: 0, conflicts: [] })
    await at.compile({ 'guide.md': FILE.replace('Run it daily.', 'Run it weekly.') })
    expect(await outlineOf(at.memory)).toContain('    Run it weekly.')
    await expectSound(at.memory)
  })
})

describe('a file that changes under an edit wins', () => {
  const change = async (at: Workspace, from: string, to: string) =>
    at.compile({ 'guide.md': FILE.replace(from, to) })

  test.each([
    ['write', (memory: Memory, id: string) => memory.write({ anchor: id, payload: 'Agent text.' })],
    ['summarize', (memory: Memory, id: string) => memory.summarize({ id, summary: 'Agent text.' })],
  ])('over a %s: reported, and the text stays in history', async (operation, act) => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    const id = await idOf(at.memory, 'Install the tool first.')
    await act(at.memory, id)
    const result = await change(at, 'Install the tool first.', 'Install the tool first, always.')
    expect(result.conflicts).toEqual([{ nodeId: id, operation, kind: 'changed', path: 'guide.md' }])
    expect(result).toMatchObject({ added: 0, modified: 1, removed: 0 })
    expect(await textOf(at.memory, id)).toBe('Install the tool first, always.')
    const texts = (await historyOf(at.memory, id)).map((row) => row.new?.text)
    expect(texts).toEqual(['Install the tool first, always.', 'Agent text.', 'Install the tool first.'])
    expect((await change(at, 'Run it daily.', 'Run it weekly.')).conflicts).toEqual([])
    await expectSound(at.memory)
  })

  test('over a forget', async () => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    const id = await idOf(at.memory, 'Install the tool first.')
    await at.memory.forget({ id })
    const result = await change(at, 'Install the tool first.', 'Install the tool first, always.')
    expect(result.conflicts).toEqual([{ nodeId: id, operation: 'forget', kind: 'changed', path: 'guide.md' }])
    expect(await outlineOf(at.memory)).toEqual(OUTLINE.with(3, '    Install the tool first, always.'))
    await expectSound(at.memory)
  })

  test('over a rollback', async () => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    const id = await idOf(at.memory, 'Install the tool first.')
    await change(at, 'Install the tool first.', 'Install the tool first, always.')
    await at.memory.rollback({ snapshotId: 1 })
    const result = await change(at, 'Install the tool first.', 'Install the tool first, mostly.')
    expect(result.conflicts).toEqual([
      { nodeId: id, operation: 'rollback', kind: 'changed', path: 'guide.md' },
    ])
    expect(await textOf(at.memory, id)).toBe('Install the tool first, mostly.')
    await expectSound(at.memory)
  })

  test('and is no conflict when it says what the agent said', async () => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    const id = await idOf(at.memory, 'Install the tool first.')
    await at.memory.write({ anchor: id, payload: 'Install the tool first, always.' })
    const result = await change(at, 'Install the tool first.', 'Install the tool first, always.')
    expect(result).toMatchObject({ total: 0, conflicts: [], snapshot: null })
    await at.memory.write({ anchor: id, payload: 'Agent text.' })
    expect((await change(at, 'Install the tool first.', 'Install the tool first.')).conflicts).toHaveLength(1)
    await expectSound(at.memory)
  })

  test('when it drops the block', async () => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    const id = await idOf(at.memory, 'Install the tool first.')
    await at.memory.write({ anchor: id, payload: 'Agent text.' })
    const result = await change(at, 'Install the tool first.\n\n', '')
    expect(result.conflicts).toEqual([{ nodeId: id, operation: 'write', kind: 'removed', path: 'guide.md' }])
    expect(await outlineOf(at.memory)).toEqual(OUTLINE.toSpliced(3, 1))
    expect((await historyOf(at.memory, id))[0]).toMatchObject({ op: 'rem', old: { text: 'Agent text.' } })
    await expectSound(at.memory)
  })

  test('when it is deleted', async () => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    const id = await idOf(at.memory, 'Install the tool first.')
    await at.memory.write({ anchor: id, payload: 'Agent text.' })
    at.remove('guide.md')
    expect((await at.compile()).conflicts).toEqual([
      { nodeId: id, operation: 'write', kind: 'removed', path: 'guide.md' },
    ])
    expect(await stateOf(at.memory)).toEqual([])
    await expectSound(at.memory)
  })
})

describe('an edit goes where its block goes', () => {
  test('when the file moves the block', async () => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    const id = await idOf(at.memory, 'Install the tool first.')
    await at.memory.write({ anchor: id, payload: 'Agent text.' })
    const moved = FILE.replace('Install the tool first.\n\n', '').concat('\nInstall the tool first.\n')
    expect(await at.compile({ 'guide.md': moved })).toMatchObject({ modified: 1, conflicts: [] })
    expect(await outlineOf(at.memory)).toEqual([...OUTLINE.toSpliced(3, 1), '    Agent text.'])
    expect((await at.compile({ 'guide.md': FILE })).conflicts).toEqual([])
    expect(await outlineOf(at.memory)).toEqual(OUTLINE.with(3, '    Agent text.'))
    await expectSound(at.memory)
  })

  test('a note goes with its heading, also when that is renamed', async () => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    const setup = await idOf(at.memory, 'Setup')
    await at.memory.write({ parent: setup, payload: 'Mind the step.' })
    await at.compile({ 'guide.md': FILE.replace('## Setup', '## Getting ready') })
    expect(await outlineOf(at.memory)).toEqual(
      OUTLINE.with(2, '  Getting ready').toSpliced(5, 0, '    Mind the step.'),
    )
    const [head, tail] = FILE.split('## Usage')
    const swapped = `${(head as string).split('## Setup')[0]}## Usage${tail}\n## Setup${head?.split('## Setup')[1]}`
    await at.compile({ 'guide.md': swapped })
    expect((await outlineOf(at.memory)).slice(-4)).toEqual([
      '  Setup',
      '    Install the tool first.',
      '    Configure it afterwards.',
      '    Mind the step.',
    ])
    await expectSound(at.memory)
  })

  test('a note under a heading that goes becomes a root', async () => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    const { id } = await at.memory.write({
      parent: await idOf(at.memory, 'Setup'),
      payload: '# Mine\n\nMind the step.\n',
    })
    const result = await at.compile({ 'guide.md': '# Guide\n\nIntroduction to everything.\n' })
    expect(result).toMatchObject({ removed: 5, modified: 1, conflicts: [] })
    expect(await outlineOf(at.memory)).toEqual([
      'Guide',
      '  Introduction to everything.',
      'Mine',
      '  Mind the step.',
    ])
    expect((await historyOf(at.memory, id)).map((row) => row.op)).toEqual(['mod', 'add'])
    at.remove('guide.md')
    await at.compile()
    expect(await outlineOf(at.memory)).toEqual(['Mine', '  Mind the step.'])
    await expectSound(at.memory)
  })
})
