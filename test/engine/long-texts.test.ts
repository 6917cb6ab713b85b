import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { expectSound, openIn, temporaryFolder } from '../support/engine.ts'
import { MARKER } from '../support/secret-doors.ts'
import { SECRET } from '../support/secret-files.ts'

const SETTINGS = { 'store.synchronous': 'normal', 'records.max_content': 1_000_000 } as const
/** Several paragraphs of more than 256 KB together, with a secret in the last. */
const LONG = `# Long\n\n${`${'words '.repeat(200)}\n\n`.repeat(300)}ends with ${SECRET} here`
const STORED = LONG.replace(SECRET, MARKER)

/** A memory whose writer runs, and every thread that it starts from now on. */
async function openWatched(): Promise<{ memory: Memory; threads: Worker[] }> {
  const memory = await openIn(temporaryFolder(), { settings: SETTINGS })
  await memory.write({ payload: 'Short.' })
  const threads: Worker[] = []
  const watch = (thread: Worker): void => void threads.push(thread)
  process.on('worker', watch)
  onTestFinished(() => void process.off('worker', watch))
  return { memory, threads }
}

const filesOf = (memory: Memory) => memory.memoryNode({ id: 'memory', scope: 'global' }).getMemoryService()

async function recalled(memory: Memory, key: string): Promise<string | undefined> {
  const content = await memory.keys.recall(key)
  return content.kind === 'text' ? content.text : undefined
}

/** What is stored in the end. */
const WRITES: Record<string, (memory: Memory) => Promise<string | undefined>> = {
  async 'a note'(memory) {
    const { redactions } = await memory.write({ payload: LONG })
    expect(redactions).toEqual({ github_pat: 1 })
    return STORED
  },
  async 'a value'(memory) {
    await memory.keys.remember({ key: 'long', value: LONG })
    return recalled(memory, 'long')
  },
  async 'a value whose node is edited'(memory) {
    await memory.keys.remember({ key: 'long', value: LONG.replace('ends', 'ended') })
    const { hits } = await memory.search({ query: 'ended' })
    await memory.write({ anchor: hits[0]?.id ?? '', payload: `ends with ${SECRET} here` })
    return recalled(memory, 'long')
  },
  async 'bytes that are a text'(memory) {
    await memory.keys.rememberBlob({ key: 'long', data: btoa(LONG), contentType: 'text/plain' })
    const content = await memory.keys.recall('long')
    return content.kind === 'bytes' ? Buffer.from(content.base64, 'base64').toString() : undefined
  },
  async 'a record'(memory) {
    return (await memory.records.store({ type: 'learning', content: LONG })).memory.content
  },
  async 'a file that is appended to'(memory) {
    await filesOf(memory).append('/long', LONG)
    return filesOf(memory).read('/long')
  },
  async 'a file that is updated'(memory) {
    await filesOf(memory).append('/long', 'before')
    await filesOf(memory).update('/long', 'before', LONG)
    return filesOf(memory).read('/long')
  },
}

test.each(Object.entries(WRITES))(
  '%s of more than 256 KB is prepared in a thread that ends with the memory',
  async (_, write) => {
    const { memory, threads } = await openWatched()
    // Not `toBe(STORED)`: whoever looks at the difference of long texts waits for it.
    expect((await write(memory)) === STORED).toBe(true)
    expect(threads).toHaveLength(1)
    await expectSound(memory)
    await memory.close()
    expect(threads[0]?.threadId).toBe(-1)
  },
)

test('a file of too many blocks is refused as before, though another thread found them', async () => {
  const { memory, threads } = await openWatched()
  await expect(filesOf(memory).append('/a', '- an item\n'.repeat(60_000))).rejects.toMatchObject({
    ...{ code: 'INVALID_INPUT', fileCode: 'EINVAL' },
    message: expect.stringContaining('blocks'),
  })
  expect(threads).toHaveLength(1)
  await memory.close()
})

test('a long text that its caller gave up is not stored', async () => {
  const { memory } = await openWatched()
  const caller = new AbortController()
  const write = memory.by('agent', { signal: caller.signal }).write({ payload: LONG })
  caller.abort(new Error('given up'))
  await expect(write).rejects.toThrow('given up')
  expect(await memory.snapshots()).toHaveLength(1)
  await memory.close()
})
