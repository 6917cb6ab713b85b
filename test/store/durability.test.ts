import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { start } from '../support/store-children.ts'
import { temporaryFolder } from '../support/store-files.ts'
import type { ProgramInput } from '../support/store-process.ts'

/** Starts a program that says what was stored, and kills it after so many lines. */
async function killAfter(lines: number, program: string, input: ProgramInput): Promise<string[]> {
  const acknowledged: string[] = []
  const writer = start(program, input)
  for (let line = 0; line < lines; line++) acknowledged.push((await writer.next()) ?? 'ended too early')
  writer.kill()
  // What it said before the signal reached it counts too.
  for (let line = await writer.next(); line !== undefined; line = await writer.next()) acknowledged.push(line)
  expect(await writer.ended()).toBe('')
  return acknowledged
}

test('what was acknowledged survives kill -9, and nothing is half there', async () => {
  const file = join(temporaryFolder(), 'memory.db')
  const acknowledged: string[] = []
  for (const [round, lines] of [1, 25, 7, 2, 18, 11].entries()) {
    acknowledged.push(...(await killAfter(lines, 'write-forever', { file, name: `round ${round}` })))
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

test('what eight writers were told is stored survives kill -9, and every note is whole', async () => {
  const file = join(temporaryFolder(), 'memory.db')
  const writers = 8
  const acknowledged: string[] = []
  for (const [round, lines] of [1, 40, 8, 3, 99, 21].entries()) {
    const input = { file, name: `round ${round}`, count: writers }
    acknowledged.push(...(await killAfter(lines, 'write-together', input)))
    await using memory = await openMemory({ db: file, create: false })
    const { roots } = await memory.forest()
    const found = new Set(roots.map((root) => root.id))
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
    // At most one of each writer was committed and not yet acknowledged.
    expect(found.size - acknowledged.length).toBeLessThanOrEqual(writers * (round + 1))
    expect((await memory.overview()).nodes.total).toBe(2 * found.size)
    expect(await memory.snapshots({ limit: 10_000 })).toHaveLength(found.size)
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
