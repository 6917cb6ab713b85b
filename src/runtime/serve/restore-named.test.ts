import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorkspace, temporaryFolder } from '../../../test/support/engine.ts'
import { restoreNamed } from './restore-named.ts'

test('a client that sees no paths of the host can neither name one nor learn of one', async () => {
  await using at = await openWorkspace({ 'plan.md': '# Plan\n' })
  const { memory, folder } = at
  const restore = (id: string, isHidden: boolean) =>
    restoreNamed(memory, memory, { id, snapshot: 1 }, { isHidden })
  expect(await restore(join(folder, 'plan.md'), false)).toMatchObject({ status: 'unchanged' })
  await expect(restore(join(folder, 'plan.md'), true)).rejects.toThrow('not found')
  expect(await restore('plan.md', true)).toMatchObject({ status: 'unchanged' })

  const other = temporaryFolder()
  writeFileSync(join(other, 'plan.md'), '# Another plan\n')
  await memory.compile(other)
  await expect(restore('plan.md', false)).rejects.toThrow(`${join(other, 'plan.md')}; choose one`)
  await expect(restore('plan.md', true)).rejects.toThrow(/^id names 2 documents; give ids of their nodes$/)
})
