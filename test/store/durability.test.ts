import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/open-memory.ts'
import { start } from '../support/store-children.ts'
import { temporaryFolder } from '../support/store-files.ts'

test('what was acknowledged survives kill -9, and nothing is half there', async () => {
  const file = join(temporaryFolder(), 'memory.db')
  const acknowledged: string[] = []
  for (const [round, lines] of [1, 25, 7, 2, 18, 11].entries()) {
    const writer = start('write-forever', { file, name: `round ${round}` })
    for (let line = 0; line < lines; line++) acknowledged.push((await writer.next()) ?? 'ended too early')
    writer.kill()
    // What it said before the signal reached it counts too.
    for (let line = await writer.next(); line !== undefined; line = await writer.next())
      acknowledged.push(line)
    expect(await writer.ended()).toBe('')

    await using memory = await openMemory({ db: file, create: false })
    const { roots } = await memory.forest()
    const found = new Set(roots.map((root) => root.id))
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
    // At most one write of each round was committed and not yet acknowledged.
    expect(found.size - acknowledged.length).toBeLessThanOrEqual(round + 1)
    expect((await memory.overview()).nodes.total).toBe(found.size)
    expect((await memory.doctor()).checks.filter((check) => check.status !== 'pass')).toEqual([])
  }
})

test('a process killed in the middle of a write leaves nothing of it', async () => {
  const file = join(temporaryFolder(), 'memory.db')
  await using memory = await openMemory({ db: file })
  await memory.write({ payload: 'before' })
  const writer = start('write-slowly', { file })
  expect(await writer.next()).toBe('writing')
  writer.kill()
  await writer.ended()
  expect((await memory.forest()).roots).toHaveLength(1)
  await memory.write({ payload: 'after' })
  expect((await memory.overview()).nodes.total).toBe(2)
  expect((await memory.doctor()).status).toBe('pass')
})
