import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openIn, temporaryFolder } from '../support/engine.ts'

/** Another process, as SQLite sees it, that writes until it is let go. */
function holdLock(file: string): () => void {
  const db = new Database(file)
  onTestFinished(() => void db.close())
  db.exec('BEGIN IMMEDIATE')
  return () => void db.exec('ROLLBACK')
}

test('an append that its caller gave up while it waited is not stored, however often it was tried', async () => {
  await using memory = await openIn(temporaryFolder())
  await memory.write({ payload: 'Before.' })
  const letGo = holdLock(memory.path)
  for (let tries = 0; tries < 3; tries++) {
    const caller = new AbortController()
    const files = memory.by('agent', { signal: caller.signal }).memoryNode({ id: 'agent', scope: 'global' })
    const append = files.getMemoryService().append('/log.md', 'Once.')
    caller.abort(new Error('timed out'))
    await expect(append).rejects.toThrow('timed out')
  }
  letGo()
  const files = memory.memoryNode({ id: 'agent', scope: 'global' }).getMemoryService()
  expect(await files.list()).toEqual([])
  await files.append('/log.md', 'Once.')
  expect(await files.read('/log.md')).toBe('Once.')
})

test('a change that was made of a text which somebody else changed meanwhile is made again', async () => {
  await using one = await openIn(temporaryFolder())
  const { openMemory } = await import('../../src/runtime/open-memory.ts')
  await using other = await openMemory({ db: one.path })
  const filesOf = (memory: typeof one) =>
    memory.memoryNode({ id: 'agent', scope: 'global' }).getMemoryService()
  await filesOf(one).append('/log.md', 'x'.repeat(20))
  const updates = Array.from({ length: 20 }, (_, at) =>
    filesOf(at % 2 ? one : other).update('/log.md', 'x'.repeat(20 - at), `${'x'.repeat(19 - at)}y`),
  )
  await Promise.allSettled(updates)
  const edits = ['a', 'b', 'c', 'd'].map((letter, at) =>
    filesOf(at % 2 ? one : other).append('/log.md', `${letter} 1`),
  )
  await Promise.all(edits)
  await Promise.all([
    filesOf(one).update('/log.md', 'a 1', 'a 2'),
    filesOf(other).update('/log.md', 'b 1', 'b 2'),
    filesOf(one).update('/log.md', 'c 1', 'c 2'),
    filesOf(other).update('/log.md', 'd 1', 'd 2'),
  ])
  const text = await filesOf(one).read('/log.md')
  expect(text.match(/[abcd] 2/g)?.sort()).toEqual(['a 2', 'b 2', 'c 2', 'd 2'])
})
