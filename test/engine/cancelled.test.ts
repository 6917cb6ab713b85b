import { expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { openIn, temporaryFolder } from '../support/engine.ts'
import { holdLock } from '../support/hold-writes.ts'

/** Until a write that was asked for before waits for its turn. */
async function untilQueued(memory: Awaited<ReturnType<typeof openIn>>): Promise<void> {
  for (let reads = 0; reads < 20; reads++) await memory.overview()
}

test('an append that its caller gave up while it waited is not stored, however often it was tried', async () => {
  await using memory = await openIn(temporaryFolder())
  await memory.write({ payload: 'Before.' })
  const letGo = holdLock(memory.path)
  const other = memory.write({ payload: 'Waits for the lock.' })
  for (let tries = 0; tries < 3; tries++) {
    const caller = new AbortController()
    const node = memory.by('agent', { signal: caller.signal }).memoryNode({ id: 'agent', scope: 'global' })
    const append = node
      .getMemoryService()
      .append('/log.md', 'Once.')
      .catch((error: unknown) => error)
    await untilQueued(memory)
    caller.abort(new Error('timed out'))
    expect(await append).toMatchObject({ message: 'timed out' })
  }
  letGo()
  await other
  const files = memory.memoryNode({ id: 'agent', scope: 'global' }).getMemoryService()
  expect(await files.list()).toEqual([])
  await files.append('/log.md', 'Once.')
  expect(await files.read('/log.md')).toBe('Once.')
})

test('a pin, a note and a compile that were given up are not stored', async () => {
  const folder = temporaryFolder()
  await using memory = await openIn(folder)
  const { id } = await memory.write({ payload: 'Before.' })
  const signal = AbortSignal.abort(new Error('given up'))
  await expect(memory.pin({ id }, { signal })).rejects.toThrow('given up')
  await expect(memory.by('agent', { signal }).write({ payload: 'After.' })).rejects.toThrow('given up')
  await expect(memory.by('agent', { signal }).compile(folder)).rejects.toThrow('given up')
  expect((await memory.overview()).temperature.pinned).toBe(0)
  expect(await memory.snapshots()).toHaveLength(1)
})

test('edits of one document at the same time are all made, each of what the others left', async () => {
  await using one = await openIn(temporaryFolder())
  await using other = await openMemory({ db: one.path })
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const filesOf = (memory: typeof one) =>
    memory.memoryNode({ id: 'agent', scope: 'global' }).getMemoryService()
  await filesOf(one).append('/log.md', letters.map((letter) => `${letter} 1`).join('\n'))
  await Promise.all(
    letters.map((letter, at) =>
      filesOf(at < 20 ? one : other).update('/log.md', `${letter} 1`, `${letter} 2`),
    ),
  )
  expect(await filesOf(one).read('/log.md')).toBe(letters.map((letter) => `${letter} 2`).join('\n'))
  await one.keys.remember({ key: 'plan', value: letters.map((letter) => `- item ${letter}`).join('\n\n') })
  const nodes = (await one.search({ query: 'item', limit: 40 })).hits
  await Promise.all(nodes.map(({ id }, at) => one.write({ anchor: id, payload: `- edited ${at}` })))
  const plan = await one.keys.recall('plan')
  expect(plan.kind === 'text' && plan.text.match(/edited/g)).toHaveLength(nodes.length)
})

test('writes of one process wait for each other however short store.lock_wait_ms is', async () => {
  const memory = await openIn(temporaryFolder(), { settings: { 'store.lock_wait_ms': 0 } })
  const writes = Array.from({ length: 20 }, (_, at) => memory.write({ payload: `Note ${at}.` }))
  await untilQueued(memory)
  await memory.close({ lockWaitMs: 0 })
  expect(await Promise.all(writes)).toHaveLength(20)
})

test('a time to live begins when the value is stored, however long that waited', async () => {
  await using memory = await openIn(temporaryFolder())
  await memory.write({ payload: 'Before.' })
  const letGo = holdLock(memory.path)
  const remembered = memory.keys.remember({ key: 'short', value: 'here', ttlSeconds: 1 })
  await new Promise((resolve) => setTimeout(resolve, 1200))
  letGo()
  expect(await remembered).toBe('stored')
  const { createdAt } = (await memory.snapshots())[0] as { createdAt: number }
  expect(Date.now() - createdAt).toBeLessThan(1000)
})

test.each([
  ['pin', (memory, id) => memory.pin({ id })],
  ['forget', (memory, id) => memory.forget({ id })],
  ['write', (memory, id) => memory.write({ anchor: id, payload: 'x' })],
  ['relate', (memory, id) => memory.relate({ sourceId: id, targetLabel: 'x' })],
] as [string, (memory: Awaited<ReturnType<typeof openIn>>, id: string) => Promise<unknown>][])(
  '%s refuses an id that is not a text',
  async (_, call) => {
    await using memory = await openIn(temporaryFolder())
    await expect(call(memory, (() => 1) as never)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  },
)
