import { expect, test } from 'vitest'
import { expectSound, idOf, openWorkspace, outlineOf } from '../support/engine.ts'

const FILES = { 'plan.md': '# Plan\n\nRent is due.\n\n## Food\n\nBuy milk.\n\n- bread\n- cheese\n' }

test('a node is brought back to its text at a snapshot, as an overlay, and nothing else changes', async () => {
  await using at = await openWorkspace(FILES)
  const { memory } = at
  const before = await outlineOf(memory)
  const milk = await idOf(memory, 'Buy milk.')
  await memory.write({ anchor: milk, payload: 'Buy oat milk.' })
  await memory.write({ payload: 'Later.' })
  expect(await memory.restore({ id: milk, snapshot: 1 })).toMatchObject({ status: 'done', affected: 1 })
  expect(await outlineOf(memory)).toEqual([...before, 'Later.'])
  await at.compile()
  await expectSound(memory)
})
