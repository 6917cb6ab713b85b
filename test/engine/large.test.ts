import { expect, test } from 'vitest'
import { expectSound, openWorkspace } from '../support/engine.ts'

// Anything that costs the square of this runs into the timeout.
const COUNT = 15_000

test('a heading with 15,000 paragraphs can be compiled, edited, forgotten and brought back', async () => {
  const file = (more = ''): string =>
    `# Heading\n\n${Array.from({ length: COUNT }, (_, n) => `Paragraph number ${n}.\n`).join('\n')}${more}`
  await using at = await openWorkspace({ 'a.md': file() })
  expect(await at.compile({ 'a.md': file('\nOne more.\n') })).toMatchObject({
    added: 1,
    modified: 0,
    removed: 0,
  })
  const [heading] = (await at.memory.forest({ depth: 1 })).roots
  const id = heading?.id as string
  expect(heading?.children).toHaveLength(COUNT + 1)
  expect(await at.memory.forget({ id, mode: 'reparent' })).toMatchObject({ affected: COUNT + 2 })
  expect(await at.compile({ 'a.md': file('\nOne more.\n\nAnd another.\n') })).toMatchObject({ total: 1 })
  expect(await at.memory.rollback({ snapshotId: 1 })).toMatchObject({ affected: COUNT + 3 })
  expect((await at.memory.forest({ rootId: id })).roots[0]?.children).toHaveLength(COUNT)
  expect((await at.memory.doctor()).status).toBe('pass')
  await at.memory.forget({ id, mode: 'cascade' })
  await expectSound(at.memory)
})
