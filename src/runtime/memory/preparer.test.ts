import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hostile } from '../../../test/support/hostile-text.ts'
import { SECRETS } from '../../../test/support/secrets.ts'
import { manualTimers } from '../../../test/support/timers.ts'
import { isMemoryError } from '../../core/errors.ts'
import { PREPARATIONS } from '../../core/operations/preparations.ts'
import { type Preparation, prepareRedacted } from '../../core/prepare.ts'
import { createRedactor } from '../../ingest/redact/redactor.ts'
import { createPrepareThreads, type PrepareThreadsOptions } from './prepare-threads.ts'
import { createPreparer, type PreparerOptions } from './preparer.ts'

const LONG = 'a'.repeat(256 * 1024 + 1)
const MEMORY = { node: 'memory', scope: 'global', thread: '' } as const

type Options = Partial<PreparerOptions> & PrepareThreadsOptions

/** A preparer, and every thread that it starts. */
async function openPreparer({ entry, setTimer, ...options }: Options = {}) {
  const threads: Worker[] = []
  const watch = (thread: Worker): void => void threads.push(thread)
  process.on('worker', watch)
  const redaction = await createRedactor({
    disableBuiltinKinds: ['jwt'],
    custom: [{ kind: 'ticket', pattern: 'TICKET-[0-9]+' }],
  })
  const own = createPrepareThreads({ ...(entry && { entry }), ...(setTimer && { setTimer }) })
  const preparer = createPreparer({ redaction, maxNodeTokens: 50, threads: own, ...options })
  onTestFinished(async () => {
    process.off('worker', watch)
    await preparer.close()
    await own.close()
  })
  return { ...preparer, threads }
}

/** A thread that answers a `request` with the result of `code`, instead of preparing. */
function threadThat(code: string): URL {
  const source = `import { parentPort as port } from 'node:worker_threads'
    port.on('message', (request) => { ${code} })`
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`)
}

const MARKS = ['# ', '## ', '- ', '1. ', '> ', '```\n', '| a | b |\n|---|---|\n', '---\n', '[[A b]]', '#tag ']
const words = fc.oneof(
  fc.constantFrom(...MARKS, '**', '\n', '\n\n', '    ', 'TICKET-17', '\ud800', 'é', '語', '«redacted:jwt»'),
  fc.constantFrom(...SECRETS.map(({ text }) => text)),
  fc.lorem({ maxCount: 5 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
)
const markdown = fc.array(words, { maxLength: 40 }).map((parts) => parts.join(' '))
const texts = fc.oneof(markdown, hostile)

/** The input of each preparation, made from a text and another one. */
const INPUTS: Record<string, (text: string, other: string) => unknown> = {
  'edited text': (text, other) => ({
    text,
    nodes: [
      { key: 1, type: 'text', text: text.slice(0, 20).trim() },
      { key: 2, type: 'text', text: text.slice(20).trim() },
    ],
    edits: new Map([[1, other]]),
  }),
  file: (content) => ({ memory: MEMORY, path: 'a.md', content }),
  payload: (payload, { length }) => ({ payload, replaces: length % 2 === 0 }),
  piece: (text) => text,
  redact: (text) => text,
  text: (text, heading) => ({ text, heading }),
}

type Prepare = (preparation: Preparation<never, unknown>, input: never) => Promise<unknown>

/** The result, including the visible part of an error. */
async function outcomeOf(prepare: Prepare, preparation: Preparation<never, unknown>, input: unknown) {
  try {
    return { output: await prepare(preparation, input as never) }
  } catch (error) {
    if (!isMemoryError(error)) return { error: String(error) }
    const { code, message, problem, detail, hint } = error
    return { code, message, problem, detail, hint }
  }
}

describe('a text is prepared to the same end in place and in the thread', () => {
  test('there is an input for every preparation', () => {
    expect(PREPARATIONS.map(({ name }) => name).sort()).toEqual(Object.keys(INPUTS).sort())
  })

  test.each(PREPARATIONS.map((preparation) => [preparation.name, preparation] as const))(
    '%s',
    async (name, preparation) => {
      const here = await openPreparer({ inPlaceLength: Number.POSITIVE_INFINITY })
      const there = await openPreparer({ inPlaceLength: -1 })
      await fc.assert(
        fc.asyncProperty(texts, texts, async (text, other) => {
          const input = INPUTS[name]?.(text, other)
          const expected = await outcomeOf(here.prepare, preparation, input)
          expect(await outcomeOf(there.prepare, preparation, input)).toStrictEqual(expected)
        }),
        { numRuns: 150 },
      )
      expect(there.threads).toHaveLength(1)
    },
  )

  test.each(['payload', 'piece'])('%s of too many blocks', async (name) => {
    const here = await openPreparer({ inPlaceLength: Number.POSITIVE_INFINITY })
    const there = await openPreparer()
    const preparation = PREPARATIONS.find((one) => one.name === name) as Preparation<never, unknown>
    const input = INPUTS[name]?.('- a\n'.repeat(100_000), '')
    const refusal = await outcomeOf(here.prepare, preparation, input)
    expect(refusal).toMatchObject({ code: 'INVALID_INPUT', detail: 'EINVAL' })
    expect(await outcomeOf(there.prepare, preparation, input)).toStrictEqual(refusal)
    expect(there.threads).toHaveLength(1)
  })
})

describe('the thread', () => {
  test.each([
    ['256 KB', LONG, { threads: undefined }],
    ['16 KB where memories share it', LONG.slice(0, 16 * 1024 + 1), {}],
  ])('is started by the first text of more than %s, for all of them', async (_, long, options) => {
    const { prepare, threads } = await openPreparer(options)
    expect(await prepare(prepareRedacted, long.slice(1))).toBe(long.slice(1))
    expect(threads).toHaveLength(0)
    const all = await Promise.all(['b', 'c', 'd'].map((end) => prepare(prepareRedacted, long + end)))
    expect(all.map((text) => text.at(-1))).toEqual(['b', 'c', 'd'])
    expect(threads).toHaveLength(1)
  })

  test('is ended after a minute without work, and started again', async () => {
    const { setTimer, delays, fire } = manualTimers()
    const { prepare, threads } = await openPreparer({ setTimer })
    await prepare(prepareRedacted, LONG)
    await prepare(prepareRedacted, LONG)
    expect(delays()).toEqual([60_000])
    const ended = once(threads[0] as Worker, 'exit')
    fire()
    await ended
    expect(await prepare(prepareRedacted, LONG)).toBe(LONG)
    expect(threads).toHaveLength(2)
  })

  test('never starts a preparation that was aborted before its turn', async () => {
    const entry = threadThat(`globalThis.names = [...(globalThis.names ?? []), request.input.at(-1)]
      port.postMessage({ output: globalThis.names.join('') })`)
    const { prepare } = await openPreparer({ entry })
    const caller = new AbortController()
    const first = prepare(prepareRedacted, `${LONG}1`)
    const aborted = prepare(prepareRedacted, `${LONG}2`, caller.signal)
    const last = prepare(prepareRedacted, `${LONG}3`)
    caller.abort(new Error('no longer wanted'))
    await expect(aborted).rejects.toThrow('no longer wanted')
    await expect(prepare(prepareRedacted, LONG, caller.signal)).rejects.toThrow('no longer wanted')
    expect([await first, await last]).toEqual(['1', '13'])
  })

  test.each([
    ['ends', 'process.exit(7)', /stopped \(exit code 7\)/],
    ['throws', `throw new Error('odd')`, /stopped \(odd\)/],
  ])('that %s fails its preparations, and is replaced', async (_, death, message) => {
    const entry = threadThat(
      `if (request.input.endsWith('!')) { ${death} } else port.postMessage({ output: 'done' })`,
    )
    const { prepare, threads } = await openPreparer({ entry })
    const [dying, next] = [prepare(prepareRedacted, `${LONG}!`), prepare(prepareRedacted, LONG)]
    await expect(dying).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(message),
    })
    expect(await next).toBe('done')
    expect(threads).toHaveLength(2)
  })

  test('ends with the preparer, and its preparations fail', async () => {
    const { prepare, close, threads } = await openPreparer({ entry: threadThat('for (;;);') })
    const given = [prepare(prepareRedacted, LONG), prepare(prepareRedacted, LONG)]
    const outcomes = Promise.allSettled(given)
    // By then the first one was sent.
    await once(threads[0] ?? (await started()), 'online')
    await close()
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } })
    await expect(prepare(prepareRedacted, LONG)).rejects.toThrow('the memory is closed')
    expect(threads).toHaveLength(1)
    expect(threads[0]?.threadId).toBe(-1)
  })
})

async function started(): Promise<Worker> {
  const [thread] = await once(process, 'worker')
  return thread as Worker
}
