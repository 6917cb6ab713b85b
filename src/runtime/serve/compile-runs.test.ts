import { expect, test } from 'vitest'
import type { Compiled } from '../../mcp/model/agent-memory.ts'
import { createCompileRuns, type RunOptions } from './compile-runs.ts'

const DONE = { added: 1 } as Compiled

/** A compile that ends when it is told to, and time that passes when it is told to. */
function openRuns() {
  const waiting = new Set<() => void>()
  const failures: unknown[] = []
  const compile = Promise.withResolvers<Compiled>()
  const starts: RunOptions[] = []
  const runs = createCompileRuns({
    onFailure: (error) => failures.push(error),
    setTimer: (work) => {
      waiting.add(work)
      return () => void waiting.delete(work)
    },
  })
  const ask = (name = 'a', signal?: AbortSignal) =>
    runs.compile(name, signal, (options) => {
      starts.push(options)
      options.signal.addEventListener('abort', () => compile.reject(options.signal.reason))
      return compile.promise
    })
  const passTime = (): void => {
    for (const work of waiting) work()
  }
  return { runs, ask, starts, compile, failures, passTime }
}

test('a compile that takes too long is answered with how far it is, and goes on', async () => {
  const { ask, starts, compile, passTime } = openRuns()
  const first = ask()
  starts[0]?.onProgress({ phase: 'write', done: 200, total: 1000 })
  passTime()
  expect(await first).toEqual({ compiling: { phase: 'write', done: 200, total: 1000 } })
  const second = ask()
  compile.resolve(DONE)
  expect(await second).toBe(DONE)
  expect(starts).toHaveLength(1)
})

test('how far a compile is can be read only while it is in the background', async () => {
  const { runs, ask, starts, compile, passTime } = openRuns()
  const first = ask()
  const progress = { phase: 'write', done: 200, total: 1000 } as const
  starts[0]?.onProgress(progress)
  expect(runs.progress()).toBeUndefined()
  passTime()
  await first
  expect(runs.progress()).toEqual(progress)
  const second = ask()
  compile.resolve(DONE)
  await second
  expect(runs.progress()).toBeUndefined()
})

test('a compile that ends in time gives its result', async () => {
  const { ask, compile } = openRuns()
  const asked = ask()
  compile.resolve(DONE)
  expect(await asked).toBe(DONE)
})

test('a compile is given up by its caller, but not once it is in the background', async () => {
  const early = openRuns()
  const caller = new AbortController()
  const asked = early.ask('a', caller.signal)
  caller.abort(new Error('gone'))
  await expect(asked).rejects.toThrow('gone')

  const late = openRuns()
  const other = new AbortController()
  const answered = late.ask('a', other.signal)
  late.passTime()
  await answered
  other.abort(new Error('gone'))
  late.compile.resolve(DONE)
  expect(await late.ask()).toBe(DONE)
})

test('a caller that gives up leaves the compile to the others, and the last one ends it', async () => {
  const { ask, starts, compile } = openRuns()
  const [one, two] = [new AbortController(), new AbortController()]
  const first = ask('a', one.signal)
  const second = ask('a', two.signal)
  one.abort(new Error('one is gone'))
  await expect(first).rejects.toThrow('one is gone')
  expect(starts[0]?.signal.aborted).toBe(false)
  two.abort(new Error('two is gone'))
  await expect(second).rejects.toThrow('two is gone')
  expect(starts[0]?.signal.aborted).toBe(true)
  await expect(compile.promise).rejects.toThrow('two is gone')
})

test('what was given up is not waited for', async () => {
  const { runs } = openRuns()
  const ending = Promise.withResolvers<Compiled>()
  const caller = new AbortController()
  const asked = runs.compile('a', caller.signal, () => ending.promise)
  caller.abort(new Error('gone'))
  await expect(asked).rejects.toThrow('gone')
  expect(await runs.compile('a', undefined, async () => DONE)).toBe(DONE)
  ending.reject(new Error('given up'))
  await runs.stop()
})

test('a failure in the background is reported, and the end of the server gives up what goes on', async () => {
  const { runs, ask, failures, passTime } = openRuns()
  const asked = ask()
  passTime()
  await asked
  await runs.stop()
  expect(failures).toMatchObject([{ message: 'the server ends' }])
})
