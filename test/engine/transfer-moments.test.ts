import { expect, test } from 'vitest'
import { openWorkspace } from '../support/engine.ts'
import { exported } from '../support/memory-driver.ts'
import { piecesOf } from '../support/transfer.ts'

const PLAN = '# Plan\n\nRent is due at the end of the month.\n'
const SECRET = `sk-ant-api03-${'A'.repeat(40)}`

/** The export of a memory with a renamed file and two checkpoints. */
async function exportOfRenamed(): Promise<string> {
  await using at = await openWorkspace({ 'plan.md': PLAN })
  at.remove('plan.md')
  await at.compile({ 'rent.md': PLAN })
  for (const name of ['one', 'two']) await at.memory.checkpoint({ name })
  return exported(at.memory)
}

test('a file that was moved twice by one snapshot is refused', async () => {
  const forged = (await exportOfRenamed()).replace(/"moves":\[(\{[^}]*\})\]/, '"moves":[$1,$1]')
  await using at = await openWorkspace()
  await expect(at.memory.import(piecesOf(forged, 777))).rejects.toThrow(
    'document.moves has two of one snapshot; nothing was imported',
  )
})

test('a checkpoint that is named like a secret gets a name that can be exported again', async () => {
  const secret = (await exportOfRenamed()).replace('"name":"one"', `"name":"${SECRET}"`)
  await using at = await openWorkspace()
  await at.memory.import(piecesOf(secret, 777))
  expect((await at.memory.checkpoints()).map(({ name }) => name)).toEqual([
    'redacted:anthropic_api_key',
    'two',
  ])
  await using again = await openWorkspace()
  await again.memory.import(piecesOf(await exported(at.memory), 777))
  expect(await again.memory.checkpoints()).toEqual(await at.memory.checkpoints())
})
