import { describe, expect, test } from 'vitest'
import { expectSound, flat, idOf, idsByText, openWorkspace, outlineOf, stateOf } from '../support/engine.ts'
import { CHANGED_ELSEWHERE, FILE, OUTLINE } from '../support/engine-guide.ts'

describe('what a file says under a heading that was forgotten', () => {
  test.each(['cascade', 'reparent'] as const)('is shown in its place: a new block (%s)', async (mode) => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    await at.memory.forget({ id: await idOf(at.memory, 'Setup'), mode })
    const kept = mode === 'cascade' ? [] : ['  Install the tool first.', '  Configure it afterwards.']
    const file = FILE.replace('## Usage', 'A new block.\n\n## Usage')
    expect(await at.compile({ 'guide.md': file })).toMatchObject({ added: 1, modified: 0, conflicts: [] })
    const outline = OUTLINE.toSpliced(2, 3, ...kept, '  A new block.')
    expect(await outlineOf(at.memory)).toEqual(outline)
    await expectSound(at.memory)
    expect((await at.compile({ 'guide.md': `${file}\nAnd one more.\n` })).total).toBe(1)
    expect(await outlineOf(at.memory)).toEqual([...outline, '    And one more.'])
    await at.compile({ 'guide.md': FILE })
    expect(await outlineOf(at.memory)).toEqual(OUTLINE.toSpliced(2, 3, ...kept))
    await expectSound(at.memory)
  })

  test('is shown in its place: a changed block', async () => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    await at.memory.forget({ id: await idOf(at.memory, 'Setup'), mode: 'cascade' })
    const result = await at.compile({ 'guide.md': FILE.replace('Configure it', 'Please configure it') })
    expect(result.conflicts).toMatchObject([{ operation: 'forget', kind: 'changed' }])
    expect(await outlineOf(at.memory)).toEqual(OUTLINE.toSpliced(2, 3, '  Please configure it afterwards.'))
    await expectSound(at.memory)
  })

  test('is shown in its place: a block and an edit that move there', async () => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    const ids = await idsByText(at.memory)
    await at.memory.write({ anchor: ids['Run it daily.'] as string, payload: 'Agent text.' })
    await at.memory.forget({ id: ids.Setup as string, mode: 'cascade' })
    const file = FILE.replace('Run it daily.\n', '')
      .replace('Introduction to everything.\n\n', '')
      .replace('## Usage', 'Run it daily.\n\nIntroduction to everything.\n\n## Usage')
    expect((await at.compile({ 'guide.md': file })).conflicts).toEqual([])
    expect(await outlineOf(at.memory)).toEqual([
      'Guide',
      '  Agent text.',
      '  Introduction to everything.',
      '  Usage',
    ])
    await expectSound(at.memory)
  })

  test('is a root when nothing above it is left, and returns under a heading that does', async () => {
    await using at = await openWorkspace({ 'guide.md': FILE })
    await at.memory.forget({ id: await idOf(at.memory, 'Guide'), mode: 'cascade' })
    const file = FILE.replace('## Usage', 'A new block.\n\n### Deep\n\nDeep down.\n\n## Usage')
    await at.compile({ 'guide.md': file })
    expect(await outlineOf(at.memory)).toEqual(['A new block.', 'Deep', '  Deep down.'])
    await expectSound(at.memory)
    const result = await at.compile({ 'guide.md': file.replace('## Setup', '## Setup and preparation') })
    expect(result.conflicts).toMatchObject([{ operation: 'forget', kind: 'changed' }])
    expect(await outlineOf(at.memory)).toEqual([
      'Setup and preparation',
      '  A new block.',
      '  Deep',
      '    Deep down.',
    ])
    await expectSound(at.memory)
  })

  test('is shown in its place: new blocks after a rollback took their heading away', async () => {
    await using at = await openWorkspace({ 'guide.md': '# Guide\n' })
    await at.compile({ 'guide.md': FILE })
    await at.memory.rollback({ snapshotId: 1 })
    await at.compile({ 'guide.md': CHANGED_ELSEWHERE })
    expect(await outlineOf(at.memory)).toEqual(['Before all else.', 'Guide', '  New at the end.'])
    await expectSound(at.memory)
  })
})

describe('a file that turns its headings around', () => {
  test('cannot put a node below itself: after a forget', async () => {
    await using at = await openWorkspace({ 'a.md': '# Apple\n\n## Banana\n\n### Cherry\n' })
    await at.memory.forget({ id: await idOf(at.memory, 'Banana'), mode: 'reparent' })
    await at.compile({ 'a.md': '# Cherry\n\n## Apple\n\n### Banana\n' })
    expect(await outlineOf(at.memory)).toEqual(['Cherry', '  Apple'])
    await expectSound(at.memory)
  })

  test('cannot put a node below itself: after a rollback', async () => {
    await using at = await openWorkspace({ 'a.md': '# Apple\n\nPie.\n\n## Cherry\n' })
    await at.compile({ 'a.md': '# Cherry\n\n## Apple\n\nPie.\n' })
    await at.memory.rollback({ snapshotId: 1 })
    await at.compile({ 'a.md': '# Cherry\n\n## Apples\n\nPie.\n' })
    const texts = flat(await stateOf(at.memory)).map(({ text }) => text)
    expect(texts.toSorted()).toEqual(['Apples', 'Cherry', 'Pie.'])
    await expectSound(at.memory)
  })
})
