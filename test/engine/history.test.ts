import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { VersionRow } from '../../src/core/port/store.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import {
  allPages,
  expectSound,
  flat,
  heatOf,
  historyOf,
  idOf,
  idsByText,
  openWorkspace,
  outlineOf,
  stateOf,
  textOf,
  type Workspace,
} from '../support/engine.ts'

/** Nine blocks over five snapshots, with edits, moves, removals and returns. */
async function openLived(): Promise<Workspace> {
  const at = await openWorkspace({ 'a.md': '# A\n\nOne.\n\nTwo.\n\nThree.\n', 'b.md': '# B\n\nFour.\n' })
  await at.compile({ 'a.md': '# A\n\nTwo.\n\nOne.\n\nThree.\n\nFive.\n' })
  const { id } = await at.memory.write({ payload: '# Note\n\nSix.\n' })
  await at.memory.forget({ id: await idOf(at.memory, 'Three.') })
  await at.memory.write({ anchor: id, payload: '# Renamed note' })
  await at.memory.rollback({ snapshotId: 2 })
  at.remove('b.md')
  await at.compile()
  return at
}

describe('pages', () => {
  test('of any size add up to the same', async () => {
    await using at = await openLived()
    const { memory } = at
    const id = await idOf(memory, 'Three.')
    const asks = {
      delta: (page: object) => memory.delta({ since: 0, ...page }),
      deltaSince: (page: object) => memory.delta({ since: 2, ...page }),
      diff: (page: object) => memory.diff({ from: 0, to: 7, ...page }),
      diffBetween: (page: object) => memory.diff({ from: 2, to: 7, ...page }),
      history: (page: object) => memory.history({ id, ...page }),
    }
    const counts: Record<string, number> = {}
    for (const [name, ask] of Object.entries(asks)) {
      const whole = await allPages<VersionRow>(ask, 1000)
      counts[name] = whole.length
      for (let limit = 1; limit <= whole.length + 1; limit++)
        expect(await allPages<VersionRow>(ask, limit), `${name} by ${limit}`).toEqual(whole)
    }
    expect(counts).toEqual({ delta: 17, deltaSince: 9, diff: 5, diffBetween: 2, history: 3 })
  })

  test('of snapshots, newest first', async () => {
    await using at = await openLived()
    expect((await at.memory.snapshots()).map(({ id }) => id)).toEqual([7, 6, 5, 4, 3, 2, 1])
    expect((await at.memory.snapshots({ limit: 2, before: 6 })).map(({ id }) => id)).toEqual([5, 4])
  })
})

describe('delta', () => {
  test('tells what every snapshot did, oldest first, with old and new text and structure', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n\nOne.\n' })
    const ids = await idsByText(at.memory)
    await at.memory.write({ anchor: ids['One.'] as string, payload: 'Uno.' })
    await at.memory.forget({ id: ids.A as string, mode: 'cascade' })
    const { items, next } = await at.memory.delta({ since: 1 })
    expect(next).toBeNull()
    const one = { parentId: ids.A, position: 'a0', type: 'text', format: 'plain', label: null, links: null }
    expect(items.map(({ nodeKey, ...row }) => row)).toEqual([
      {
        snapshotId: 2,
        nodeId: ids['One.'],
        op: 'mod',
        old: { ...one, text: 'One.' },
        new: { ...one, text: 'Uno.' },
      },
      {
        snapshotId: 3,
        nodeId: ids.A,
        op: 'rem',
        old: { ...one, parentId: null, type: 'heading', text: 'A' },
        new: null,
      },
      { snapshotId: 3, nodeId: ids['One.'], op: 'rem', old: { ...one, text: 'Uno.' }, new: null },
    ])
  })
})

describe('the net diff', () => {
  const A = '# H\n\nKept.\n\nThe text of the test.\n\n# I\n'
  const steps = {
    edited: A.replace('The text of the test.', 'The text of this test.'),
    twice: A.replace('The text of the test.', 'The text of that test.'),
    without: A.replace('The text of the test.\n\n', ''),
    moved: `${A.replace('The text of the test.\n\n', '')}\nThe text of the test.\n`,
  }
  test.each([
    ['add', steps.without, [A], ['add', null, 'The text of the test.']],
    ['mod', A, [steps.edited], ['mod', 'The text of the test.', 'The text of this test.']],
    ['rem', A, [steps.without], ['rem', 'The text of the test.', null]],
    ['add and mod', steps.without, [A, steps.edited], ['add', null, 'The text of this test.']],
    ['add and rem', steps.without, [A, steps.without], undefined],
    [
      'mod and mod',
      A,
      [steps.edited, steps.twice],
      ['mod', 'The text of the test.', 'The text of that test.'],
    ],
    ['mod and rem', A, [steps.edited, steps.without], ['rem', 'The text of the test.', null]],
    ['mod and back', A, [steps.edited, A], undefined],
    ['rem and back', A, [steps.without, A], undefined],
    ['move', A, [steps.moved], ['mod', 'The text of the test.', 'The text of the test.']],
    ['move and back', A, [steps.moved, A], undefined],
  ])('of %s', async (_, first, then, expected) => {
    await using at = await openWorkspace({ 'a.md': first })
    for (const text of then) await at.compile({ 'a.md': text })
    const { items } = await at.memory.diff({ from: 1, to: 1 + then.length })
    const rows = items.map((row) => [row.op, row.old?.text ?? null, row.new?.text ?? null])
    expect(rows).toEqual(expected ? [expected] : [])
    expect((await at.memory.diff({ from: 1, to: 1 })).items).toEqual([])
  })

  test('tells where a node moved to', async () => {
    await using at = await openWorkspace({ 'a.md': A })
    await at.compile({ 'a.md': steps.moved })
    const ids = await idsByText(at.memory)
    const { items } = await at.memory.diff({ from: 1, to: 2 })
    expect(items).toMatchObject([{ op: 'mod', old: { parentId: ids.H }, new: { parentId: ids.I } }])
  })

  test('refuses what is no range', async () => {
    await using at = await openWorkspace({ 'a.md': A })
    await expect(at.memory.diff({ from: 1, to: 0 })).rejects.toThrow(
      'from_snapshot_id (1) must be <= to_snapshot_id (0)',
    )
    await expect(at.memory.diff({ from: 0, to: 9 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(at.memory.diff({ from: 8, to: 9 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('the history of a node', () => {
  test('is newest first, also of one that is gone', async () => {
    await using at = await openWorkspace({ 'a.md': 'The text of the test.\n' })
    const id = await idOf(at.memory, 'The text of the test.')
    for (const word of ['this', 'that', 'any']) await at.compile({ 'a.md': `The text of ${word} test.\n` })
    at.remove('a.md')
    await at.compile()
    const rows = await historyOf(at.memory, id)
    expect(rows.map(({ snapshotId, op }) => [snapshotId, op])).toEqual([
      [5, 'rem'],
      [4, 'mod'],
      [3, 'mod'],
      [2, 'mod'],
      [1, 'add'],
    ])
    expect(rows.map((row) => row.old?.text.split(' ')[3])).toEqual(['any', 'that', 'this', 'the', undefined])
    expect((await at.memory.history({ id, limit: 2 })).items.map(({ snapshotId }) => snapshotId)).toEqual([
      5, 4,
    ])
    expect(await historyOf(at.memory, 'AAAAAAAAAAA')).toEqual([])
  })
})

describe('rollback', () => {
  test('says what it did, and on which snapshot', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n\nOne.\n' })
    await at.compile({ 'a.md': '# A\n\nTwo words here.\n\nAnd more.\n' })
    expect(await at.memory.rollback({ snapshotId: 1 })).toMatchObject({
      status: 'rolled-back',
      target: 1,
      affected: 3,
      pruned: 0,
      snapshot: { id: 3, parentId: 2, operation: 'rollback', message: 'rollback to 1', root: '' },
    })
  })

  test('to where the memory is writes nothing', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n' })
    expect(await at.memory.rollback({ snapshotId: 1 })).toEqual({ status: 'at-target', target: 1 })
    expect(await at.memory.rollback({ snapshotId: 1, dropAfter: true })).toEqual({
      status: 'at-target',
      target: 1,
    })
    const { id } = await at.memory.write({ payload: 'x' })
    await at.memory.forget({ id })
    expect(await at.memory.rollback({ snapshotId: 1 })).toEqual({ status: 'unchanged', target: 1, pruned: 0 })
    expect(await at.memory.snapshots()).toHaveLength(3)
  })

  test.each([
    [0, 'INVALID_INPUT', 'invalid snapshot_id 0: expected positive integer'],
    [-1, 'INVALID_INPUT', 'invalid snapshot_id -1: expected positive integer'],
    [1.5, 'INVALID_INPUT', 'invalid snapshot_id 1.5: expected positive integer'],
    [Number.NaN, 'INVALID_INPUT', 'invalid snapshot_id NaN: expected positive integer'],
    [9, 'INVALID_INPUT', 'snapshot 9 is ahead of HEAD 3'],
    [2, 'NOT_FOUND', 'snapshot 2 not found'],
  ])('refuses snapshot %d', async (snapshotId, code, message) => {
    await using at = await openWorkspace({ 'a.md': '# A\n' })
    await at.memory.write({ payload: 'x' })
    await at.memory.rollback({ snapshotId: 1, dropAfter: true })
    const before = await at.memory.snapshots()
    const failure = at.memory.rollback({ snapshotId })
    await expect(failure).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
    expect(await at.memory.snapshots()).toEqual(before)
  })

  test('of an empty memory is refused', async () => {
    await using at = await openWorkspace()
    await expect(at.memory.rollback({ snapshotId: 1 })).rejects.toThrow('snapshot 1 is ahead of HEAD 0')
  })

  test('undoes adds, edits, removals and moves, and can itself be undone', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n\nOne.\n\nTwo.\n\n# B\n' })
    const before = await stateOf(at.memory)
    await at.compile({ 'a.md': '# A\n\nThree is new here.\n\n# Bee\n\nOne.\n' })
    const after = await stateOf(at.memory)
    const hashes = (await at.memory.snapshots()).map(({ cursorHash }) => cursorHash)
    await at.memory.rollback({ snapshotId: 1 })
    expect(await stateOf(at.memory)).toEqual(before)
    await at.memory.rollback({ snapshotId: 2 })
    expect(await stateOf(at.memory)).toEqual(after)
    await at.memory.rollback({ snapshotId: 3 })
    expect(await stateOf(at.memory)).toEqual(before)
    expect((await at.memory.snapshots()).map(({ cursorHash }) => cursorHash)).toEqual([
      hashes[1],
      hashes[0],
      hashes[1],
      ...hashes,
    ])
    await expectSound(at.memory)
  })

  test('leaves heat and pins of what stays alone', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n\nOne of them.\n\nTwo.\n' })
    const ids = await idsByText(at.memory)
    await at.compile({ 'a.md': '# A\n\nOne of these.\n\nTwo.\n' })
    await at.memory.pin({ id: ids['One of them.'] as string, temperature: 0.8 })
    await at.memory.pin({ id: ids['Two.'] as string, temperature: 0.3 })
    await at.memory.unpin(ids['Two.'] as string)
    const before = heatOf(at.memory)
    await at.memory.rollback({ snapshotId: 1 })
    expect(heatOf(at.memory)).toEqual(before)
  })

  test('brings notes back and takes them away', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n' })
    await at.memory.write({ payload: 'First note.' })
    const { id } = await at.memory.write({ parent: await idOf(at.memory, 'A'), payload: 'Second note.' })
    await at.memory.rollback({ snapshotId: 2 })
    expect(await outlineOf(at.memory)).toEqual(['A', 'First note.'])
    // What was taken away can be written again, and is the same.
    expect((await at.memory.write({ parent: await idOf(at.memory, 'A'), payload: 'Second note.' })).id).toBe(
      id,
    )
    expect(await outlineOf(at.memory)).toEqual(['A', '  Second note.', 'First note.'])
    await at.memory.rollback({ snapshotId: 1 })
    await at.memory.rollback({ snapshotId: 3 })
    expect(await outlineOf(at.memory)).toEqual(['A', '  Second note.', 'First note.'])
    expect((await at.memory.write({ payload: 'First note.' })).snapshot).toBeNull()
    await expectSound(at.memory)
  })
})

describe('a rollback that drops what came after', () => {
  const last = async (memory: Memory) => (await memory.snapshots())[0]

  test('goes right a second time', async () => {
    await using at = await openWorkspace()
    await at.memory.write({ payload: 'Alpha.' })
    await at.memory.write({ payload: 'Bravo.' })
    expect(await at.memory.rollback({ snapshotId: 1, dropAfter: true })).toMatchObject({
      status: 'rolled-back',
      pruned: 1,
      snapshot: { id: 3, parentId: 1 },
    })
    await at.memory.write({ payload: 'Charlie.' })
    expect((await outlineOf(at.memory)).toSorted()).toEqual(['Alpha.', 'Charlie.'])
    await at.memory.rollback({ snapshotId: 1 })
    expect(await outlineOf(at.memory)).toEqual(['Alpha.'])
    await at.memory.rollback({ snapshotId: 4 })
    await at.memory.rollback({ snapshotId: 3 })
    expect(await outlineOf(at.memory)).toEqual(['Alpha.'])
    expect((await at.memory.diff({ from: 1, to: 3 })).items).toEqual([])
    expect((await at.memory.snapshots()).map(({ id }) => id)).toEqual([7, 6, 5, 4, 3, 1])
    await expectSound(at.memory)
  })

  test('gives every later snapshot a new id and moves HEAD on', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n' })
    for (const payload of ['x', 'y', 'z']) await at.memory.write({ payload })
    await at.memory.rollback({ snapshotId: 1, dropAfter: true })
    expect(await last(at.memory)).toMatchObject({ id: 5, parentId: 1 })
    await at.memory.rollback({ snapshotId: 1, dropAfter: true })
    expect(await last(at.memory)).toMatchObject({ id: 6, parentId: 1 })
    expect((await at.memory.overview()).snapshots).toMatchObject({ count: 2, head_id: 6 })
    expect((await at.memory.write({ payload: 'again' })).snapshot?.id).toBe(7)
    await expectSound(at.memory)
  })

  test('removes the text for good, wherever it was', async () => {
    const secret = 'Xyzzyplugh'
    await using at = await openWorkspace({ 'a.md': '# A\n\nOne.\n\n```\nplain code\n```\n' })
    const ids = await idsByText(at.memory)
    await at.compile({
      'a.md': `# A ${secret}\n\nOne.\n\n\`\`\`\n${secret}\nhere\n\`\`\`\n\n${secret} was added.\n`,
    })
    await at.memory.write({ payload: `A note of ${secret}.\n\n# ${secret}\n` })
    await at.memory.write({ parent: ids['One.'] as string, payload: `Below: ${secret}` })
    await at.memory.summarize({ id: ids['One.'] as string, summary: `In short: ${secret}` })
    await at.memory.write({
      anchor: ids['plain code'] ?? (ids['One.'] as string),
      payload: `${secret} twice`,
    })
    expect(holds(at.memory, secret)).toBe(true)
    await at.memory.rollback({ snapshotId: 1, dropAfter: true })
    expect(flat(await stateOf(at.memory)).map(({ text }) => text)).toEqual(['A', 'One.', 'plain code'])
    expect(holds(at.memory, secret)).toBe(false)
    expect(holds(at.memory, secret.toLowerCase())).toBe(false)
    // The file has it still: a change elsewhere in it does not bring it back.
    expect((await at.compile()).snapshot).toBeNull()
    await expectSound(at.memory)
  })

  test('keeps text that an earlier snapshot holds too', async () => {
    await using at = await openWorkspace({ 'a.md': 'Said before.\n' })
    const id = await idOf(at.memory, 'Said before.')
    await at.compile({ 'a.md': 'Said after that.\n' })
    await at.memory.write({ payload: 'Said before.' })
    await at.memory.rollback({ snapshotId: 1, dropAfter: true })
    expect(await textOf(at.memory, id)).toBe('Said before.')
    expect(holds(at.memory, 'Said after')).toBe(false)
    await expectSound(at.memory)
  })

  test('lets a file take its nodes back', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n' })
    await at.compile({ 'a.md': '# A\n\nAdded by the file.\n' })
    await at.memory.rollback({ snapshotId: 1, dropAfter: true })
    await at.compile({ 'a.md': '# A\n\nAdded by the file, and changed.\n\nEven more.\n' })
    expect(await outlineOf(at.memory)).toEqual(['A', '  Added by the file, and changed.', '  Even more.'])
    await at.memory.rollback({ snapshotId: 1 })
    expect(await outlineOf(at.memory)).toEqual(['A'])
    await expectSound(at.memory)
  })
})

/** Whether the bytes of the database or of its journal contain a text. */
function holds({ path }: Memory, text: string): boolean {
  return [path, `${path}-wal`].some((file) => {
    try {
      return readFileSync(file).includes(text)
    } catch {
      return false
    }
  })
}

test.each([
  ['delta', '1'],
  ['delta', 'x.y'],
  ['diff', '1.2'],
  ['history', 'NaN'],
  ['history', '-1'],
] as const)('%s refuses the cursor "%s" that it never gave', async (question, after) => {
  await using at = await openWorkspace({ 'a.md': 'Some text.\n' })
  const input = { since: 0, from: 0, to: 1, id: 'FC4TQ4IMGIk', after }
  await expect(at.memory[question](input)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await expect(at.memory[question]({ ...input, after: '1', limit: 0 })).rejects.toThrow('limit must be')
})
