import { expect, onTestFinished, test } from 'vitest'
import type { CompileProgress } from '../../src/core/compile/compile-progress.ts'
import { type Memory, openMemory } from '../../src/index.ts'
import { holdWrites } from '../support/hold-writes.ts'
import { noteFolder } from '../support/mcp.ts'
import { soon } from '../support/soon.ts'

const FILES = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`${at}.md`, `# Note ${at}\n`]))

async function open(folder: string): Promise<Memory> {
  const memory = await openMemory({ db: folder, rememberRoots: false })
  onTestFinished(() => memory.close())
  return memory
}

/** Compiles, and gives what another process saw of it: at every step of reading, and at the end. */
async function seenMeanwhile(folder: string): Promise<(CompileProgress | undefined)[]> {
  const [memory, other] = [await open(folder), await open(folder)]
  const seen: Promise<CompileProgress | undefined>[] = []
  await memory.compile(folder, { onProgress: () => void seen.push(other.findFirstCompile()) })
  return [...(await Promise.all(seen)), await other.findFirstCompile()]
}

test('another process sees that a memory is compiled for the first time, until it is', async () => {
  const seen = await seenMeanwhile(noteFolder(FILES))
  expect(seen.filter(Boolean)).not.toEqual([])
  expect(seen.at(-1)).toBeUndefined()
})

test('nothing is announced in a memory that has something', async () => {
  const folder = noteFolder(FILES)
  const memory = await open(folder)
  await memory.write({ payload: 'Something.' })
  expect((await seenMeanwhile(folder)).filter(Boolean)).toEqual([])
})

test('a compile that fails is no longer seen', async () => {
  const memory = await open(noteFolder(FILES))
  const gone = new AbortController()
  const onProgress = () => gone.abort(new Error('enough'))
  await expect(memory.compile(noteFolder(FILES), { onProgress, signal: gone.signal })).rejects.toThrow(
    'enough',
  )
  expect(await memory.findFirstCompile()).toBeUndefined()
})

test('a compile does not wait to be announced while another process writes', async () => {
  const folder = noteFolder(FILES)
  const memory = await open(folder)
  const release = holdWrites(folder)
  const read: CompileProgress[] = []
  const compiled = memory.compile(folder, { onProgress: (progress) => void read.push({ ...progress }) })
  await soon(() => read.some(({ done, total }) => total > 0 && done === total)).toBe(true)
  release()
  expect(await compiled).toMatchObject({ added: 5 })
})
