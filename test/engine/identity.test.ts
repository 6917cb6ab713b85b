import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  expectSound,
  flat,
  heatOf,
  historyOf,
  idOf,
  idsByText,
  openIn,
  openWorkspace,
  outlineOf,
  stateOf,
  temporaryFolder,
} from '../support/engine.ts'

const A = '# Title\n\nAlpha one.\n\nBravo two.\n'
const B = '# Title\n\nAlpha one.\n\nCharlie three is something else.\n\nBravo two.\n'

describe('the ids of a first compile', () => {
  test('are the published ones', async () => {
    await using at = await openWorkspace({
      'a.md': '# Hello\n\nWorld.\n\nMore.\n\n# Second\n',
      'sub/b.md': 'Beneath.\n',
      'CLAUDE.md': '---\ntitle: x\n---\n\n# Claude\n\nZero.\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.\n',
    })
    expect(await idsByText(at.memory)).toMatchObject({
      Hello: 'FC4TQ4IMGIk',
      Second: 'JIbTLXwMXYg',
      'World.': '25FHWVYdid1',
      'More.': '3PFgqoBrpp1',
      'Beneath.': 'D0rjmo86BlJ',
      'title: x': '3kGXxidmWBp',
      Claude: '6EuIVj5zt5j',
      'One.': '603qfsg4qd2',
      'Two.': 'FQwpXL4bm6Y',
      'Five.': 'LTQZLSkPsDW',
    })
  })

  test('are the published ones for a note', async () => {
    await using at = await openWorkspace()
    expect((await at.memory.write({ payload: 'hello' })).id).toBe('9c76X9FLT5Q')
    expect(await idOf(at.memory, 'hello')).toBe('9c76X9FLT5Q')
  })

  test('do not collide for the same path under two roots', async () => {
    await using at = await openWorkspace({ 'a.md': '# Hello\n\nWorld.\n' })
    const other = temporaryFolder()
    writeFileSync(join(other, 'a.md'), '# Goodbye\n\nMoon.\n')
    const result = await at.memory.compile(other)
    expect(result).toMatchObject({ added: 2, modified: 0, removed: 0 })
    const ids = await idsByText(at.memory)
    expect(new Set(Object.values(ids)).size).toBe(4)
    expect(ids.Hello).toBe('FC4TQ4IMGIk')
    expect((await at.compile()).snapshot).toBeNull()
    expect((await at.memory.compile(other)).snapshot).toBeNull()
    await expectSound(at.memory)
    rmSync(other, { recursive: true })
  })
})

describe('an id', () => {
  test('is never given to something else, not even after its node is gone', async () => {
    await using at = await openWorkspace({ 'a.md': 'First of all.\n' })
    const first = await idOf(at.memory, 'First of all.')
    at.remove('a.md')
    await at.compile()
    await at.compile({ 'a.md': '| quite | another |\n| --- | --- |\n| thing | here |\n' })
    const [node] = flat(await stateOf(at.memory))
    expect(node?.id).not.toBe(first)
    expect((await historyOf(at.memory, first)).map((row) => row.op)).toEqual(['rem', 'add'])
    await expectSound(at.memory)
  })

  test('comes back with its text, heat and pin, and its history goes on', async () => {
    await using at = await openWorkspace({ 'a.md': B })
    const before = await stateOf(at.memory)
    const id = await idOf(at.memory, 'Charlie three is something else.')
    await at.memory.pin({ id, temperature: 0.9 })
    await at.compile({ 'a.md': A })
    expect(flat(await stateOf(at.memory)).map((node) => node.id)).not.toContain(id)
    await at.compile({ 'a.md': B })
    expect(await stateOf(at.memory)).toEqual(before)
    expect((await historyOf(at.memory, id)).map((row) => row.op)).toEqual(['add', 'rem', 'add'])
    expect(heatOf(at.memory).get(id)).toMatchObject({ value: 0.9, pinned: 1 })
    await expectSound(at.memory)
  })

  test('follows an edited block, a renamed heading and a paragraph that moved to another heading', async () => {
    await using at = await openWorkspace({
      'a.md':
        '# One\n\nThe quick brown fox jumps over the lazy dog.\n\nKept as it is.\n\n# Two\n\nUnder two.\n',
    })
    const ids = await idsByText(at.memory)
    await at.compile({
      'a.md':
        '# Uno\n\nThe quick brown fox leaps over the lazy dog.\n\n# Two\n\nUnder two.\n\nKept as it is.\n',
    })
    expect(await idsByText(at.memory)).toEqual({
      Uno: ids.One,
      'The quick brown fox leaps over the lazy dog.': ids['The quick brown fox jumps over the lazy dog.'],
      Two: ids.Two,
      'Under two.': ids['Under two.'],
      'Kept as it is.': ids['Kept as it is.'],
    })
    await expectSound(at.memory)
  })
})

describe('a state that returns', () => {
  test('is an ordinary snapshot with the same cursor_hash, however often', async () => {
    await using at = await openWorkspace({ 'a.md': A })
    const hashes = [(await at.memory.snapshots())[0]?.cursorHash]
    const states = [await stateOf(at.memory)]
    for (const text of [B, A, B, A]) {
      hashes.push((await at.compile({ 'a.md': text })).snapshot?.cursorHash)
      states.push(await stateOf(at.memory))
    }
    expect(hashes[2]).toBe(hashes[0])
    expect(hashes[4]).toBe(hashes[0])
    expect(hashes[3]).toBe(hashes[1])
    expect(hashes[1]).not.toBe(hashes[0])
    expect(states[2]).toEqual(states[0])
    expect(states[3]).toEqual(states[1])
    const snapshots = await at.memory.snapshots()
    expect(snapshots.map((row) => [row.id, row.parentId])).toEqual([
      [5, 4],
      [4, 3],
      [3, 2],
      [2, 1],
      [1, null],
    ])
    await expectSound(at.memory)
  })

  test('has the same cursor_hash however many blocks were away', async () => {
    const paragraphs = Array.from({ length: 9 }, (_, n) => `Paragraph ${'abcdefghi'[n]} of nine.\n`)
    await using at = await openWorkspace({ 'a.md': paragraphs.join('\n') })
    const [first] = await at.memory.snapshots()
    for (const [from, count] of [
      [2, 3],
      [1, 7],
      [0, 8],
      [4, 5],
    ] as const) {
      await at.compile({ 'a.md': paragraphs.toSpliced(from, count).join('\n') })
      const { snapshot } = await at.compile({ 'a.md': paragraphs.join('\n') })
      expect(snapshot?.cursorHash).toBe(first?.cursorHash)
    }
    await expectSound(at.memory)
  })

  test('can be written, forgotten and written again', async () => {
    await using at = await openWorkspace()
    const written = await at.memory.write({ payload: 'hello' })
    await at.memory.forget({ id: written.id })
    const again = await at.memory.write({ payload: 'hello' })
    expect(again.id).toBe(written.id)
    expect(again.snapshot?.cursorHash).toBe(written.snapshot?.cursorHash)
    expect(await outlineOf(at.memory)).toEqual(['hello'])
    expect((await historyOf(at.memory, again.id)).map((row) => row.op)).toEqual(['add', 'rem', 'add'])
    await expectSound(at.memory)
  })

  test('can be a file that was deleted, restored and deleted again', async () => {
    await using at = await openWorkspace({ 'a.md': A, 'b.md': 'Stays here.\n' })
    const before = await stateOf(at.memory)
    const counts = []
    for (let round = 0; round < 2; round++) {
      at.remove('a.md')
      const gone = await at.compile()
      counts.push([gone.removed, gone.files.removed, (await at.compile({ 'a.md': A })).added])
      expect(await stateOf(at.memory)).toEqual(before)
    }
    expect(counts).toEqual([
      [3, 1, 3],
      [3, 1, 3],
    ])
    await expectSound(at.memory)
  })

  test('can be redone after a rollback', async () => {
    await using at = await openWorkspace({ 'a.md': A })
    await at.compile({ 'a.md': B })
    const after = await stateOf(at.memory)
    await at.memory.rollback({ snapshotId: 1 })
    const redone = await at.memory.rollback({ snapshotId: 2 })
    expect(redone.status).toBe('rolled-back')
    expect(await stateOf(at.memory)).toEqual(after)
    const [head, , second] = await at.memory.snapshots()
    expect(head?.cursorHash).toBe(second?.cursorHash)
    expect((await at.compile()).snapshot).toBeNull()
    await expectSound(at.memory)
  })
})

describe('what was written returns under the id that write gives', () => {
  test('also after another text took its place', async () => {
    await using at = await openWorkspace()
    const { id } = await at.memory.write({ payload: 'hello' })
    await at.memory.write({ anchor: id, payload: '# A title and nothing else' })
    const again = await at.memory.write({ payload: 'hello' })
    expect(await idOf(at.memory, 'hello')).toBe(again.id)
    expect((await at.memory.write({ payload: 'hello' })).id).toBe(again.id)
    await expectSound(at.memory)
  })

  test('also after it was edited and then forgotten', async () => {
    await using at = await openWorkspace()
    const { id } = await at.memory.write({ payload: 'hello' })
    await at.memory.write({ anchor: id, payload: 'goodbye' })
    await at.memory.forget({ id })
    const again = await at.memory.write({ payload: 'hello' })
    expect(await idOf(at.memory, 'hello')).toBe(again.id)
    expect((await at.memory.write({ payload: 'hello' })).id).toBe(again.id)
    await expectSound(at.memory)
  })
})

test('a folder that moves with its memory is the same folder', async () => {
  const folder = temporaryFolder()
  const first = join(folder, 'first')
  const second = join(folder, 'elsewhere', 'second')
  mkdirSync(join(first, 'sub'), { recursive: true })
  writeFileSync(join(first, 'a.md'), A)
  writeFileSync(join(first, 'sub', 'b.md'), 'Beneath.\n')
  const before = await openIn(first)
  await before.compile(first)
  const state = await stateOf(before)
  await before.close()
  cpSync(first, second, { recursive: true })
  rmSync(first, { recursive: true })
  {
    await using after = await openIn(second)
    expect(await stateOf(after)).toEqual(state)
    expect((await after.compile(second)).snapshot).toBeNull()
    expect((await after.compile(join(second, 'sub'))).snapshot).toBeNull()
    expect((await after.files()).roots.map(({ root }) => root)).toEqual([second])
    await expectSound(after)
  }
  rmSync(folder, { recursive: true })
})
