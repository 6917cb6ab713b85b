import { expect, test } from 'vitest'
import { idsOf, openTools } from '../../../../test/support/agent-memory.ts'
import { DEFAULT_CHARACTERS } from '../../../core/find/budget.ts'

const FILES = { 'plan.md': '# Plan\n\nRent is due.\n\nBuy milk.\n' }

async function openEdited() {
  const at = await openTools(FILES)
  const rent = (await idsOf(at.memory))['Rent is due.'] ?? ''
  await at.call('MemoryWrite', { id: rent, payload: 'Rent is free.' })
  return Object.assign(at, { rent })
}

test('brings a node back from a snapshot, a document by its name, and undoes a snapshot', async () => {
  await using at = await openEdited()
  const back = 'restored from snapshot 1 (new snapshot 3, 1 node affected)'
  expect(await at.call('MemoryRestore', { id: at.rent, snapshot: 1 })).toMatchObject({
    text: back,
    structured: { status: 'done', target: 1, affected: 1, snapshot_id: 3, conflicts: [] },
  })
  expect(await at.text('MemoryRestore', { id: 'plan.md', snapshot: '2' })).toBe(
    'restored from snapshot 2 (new snapshot 4, 1 node affected)',
  )
  expect(await at.text('MemoryRestore', { revert: 4 })).toBe(
    'reverted snapshot 4 (new snapshot 5, 1 node affected)',
  )
  expect(await at.text('MemoryRestore', { revert: 4 })).toBe(
    'nothing to revert snapshot 4: already as it was before, or erased since',
  )
})

test('shows both texts of a conflict, and how to decide it', async () => {
  await using at = await openEdited()
  await at.call('MemoryWrite', { id: at.rent, payload: 'Rent is free\n in May.' })
  const { text, structured } = await at.call('MemoryRestore', { revert: 2 })
  expect(text).toBe(
    [
      'not reverted snapshot 2: 1 conflict; nothing was changed',
      `[conflict] ${at.rent} plan.md › Plan: changed later (snapshot 3)`,
      '  now: Rent is free\\nin May.',
      '  would be: Rent is due.',
      '… force=true takes the older texts',
    ].join('\n'),
  )
  expect(structured).toMatchObject({ status: 'conflict', conflicts_total: 1, snapshot_id: null })
  expect(await at.text('MemoryRestore', { revert: 2, force: true })).toContain('reverted snapshot 2')
})

test('keeps an answer with many long conflicts within its budget', async () => {
  const blocks = Array.from({ length: 60 }, (_, n) => `Number ${n} ${'é long '.repeat(500)}`)
  await using at = await openTools({ 'long.md': blocks.join('\n\n') })
  const edited = (word: string) => ({
    'long.md': blocks.map((block) => block.replace('long', word)).join('\n\n'),
  })
  await at.compile(edited('longer'))
  await at.compile(edited('longest'))
  const { text, structured } = await at.call('MemoryRestore', { revert: 2 })
  expect(structured.conflicts_total).toBe(60)
  expect(text.length).toBeLessThanOrEqual(DEFAULT_CHARACTERS)
  expect(text).toMatch(/… \d+ more\n… force/)
})

test.each([
  [{}, 'give id and snapshot, or revert'],
  [{ id: 'x' }, 'give id and snapshot, or revert'],
  [{ revert: 1, snapshot: 1 }, 'give id and snapshot, or revert'],
  [{ revert: 0 }, 'revert must be a whole number from 1'],
  [{ revert: 9 }, 'snapshot 9 not found'],
  [{ id: 'nope', snapshot: 1 }, 'node nope not found'],
])('%o is refused', async (args, message) => {
  await using at = await openTools(FILES)
  await expect(at.call('MemoryRestore', args)).rejects.toThrow(message)
})
