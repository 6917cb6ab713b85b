import { parentPort, workerData } from 'node:worker_threads'
import type { Operation } from '../../core/port/store.ts'
import { loadXxh64 } from '../../util/xxh64.ts'
import { sharedCallOf } from './shared-call.ts'
import { fromFailure, type ThreadFailure, toFailure } from './thread-failure.ts'
import {
  createWriter,
  type RunOptions,
  type Writer,
  type WriterCommand,
  type WriterSettings,
} from './writer.ts'

/** What the thread is started with. */
export interface WriterStart {
  settings: WriterSettings
  shared: SharedArrayBuffer
}

/** To the thread. One request at a time; parts of its source come while it runs. */
export type WriterRequest =
  | { kind: 'run'; name: string; input: unknown; options: Omit<RunOptions, 'source'> }
  | { kind: 'command'; name: WriterCommand; args: unknown[] }
  /** Missing: there is no more. */
  | { kind: 'part'; part?: unknown }
  | { kind: 'part-failed'; failure: ThreadFailure }

/** From the thread. */
export type WriterReply =
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; failure: ThreadFailure }
  /** The next part of the source is wanted. */
  | { kind: 'more' }

const port = parentPort
if (!port) throw new Error('writer-thread.ts runs as a worker only')
const { settings, shared } = workerData as WriterStart

const hash = await loadXxh64()
let writer: Writer | undefined
/** Opened by the first request, so that a failure to open is an answer and not a dead thread. */
function opened(): Writer {
  writer ??= createWriter(settings, hash, sharedCallOf(shared))
  return writer
}

let operations: Promise<Map<string, Operation<unknown, unknown>>> | undefined
/** Loaded by the first write: a thread that only migrates starts sooner without. */
async function operationNamed(name: string): Promise<Operation<unknown, unknown>> {
  operations ??= import('../../core/operations.ts').then(
    ({ OPERATIONS }) =>
      new Map((OPERATIONS as readonly Operation<unknown, unknown>[]).map((one) => [one.name, one])),
  )
  const operation = (await operations).get(name)
  if (!operation) throw new Error(`there is no operation ${name}; add it to core/operations.ts`)
  return operation
}

async function answer(request: Extract<WriterRequest, { kind: 'run' | 'command' }>): Promise<unknown> {
  if (request.kind === 'run') {
    const { name, input, options } = request
    return opened().run(await operationNamed(name), input, { ...options, source: parts() })
  }
  const { name, args } = request
  if (name === 'close' && !writer) return undefined
  return (opened().commands[name] as (...args: unknown[]) => unknown)(...args)
}

/** Where the next part goes; those that came before somebody asked. */
let taker: PromiseWithResolvers<IteratorResult<unknown>> | undefined

/** One part ahead: it is made while the one before is stored. */
async function* parts(): AsyncGenerator<unknown> {
  let next = nextPart()
  for (;;) {
    const { done, value } = await next
    if (done) return
    next = nextPart()
    yield value
  }
}

function nextPart(): Promise<IteratorResult<unknown>> {
  taker = Promise.withResolvers()
  // Whoever stops early leaves it.
  taker.promise.catch(() => undefined)
  port?.postMessage({ kind: 'more' } satisfies WriterReply)
  return taker.promise
}

port.on('message', async (request: WriterRequest) => {
  if (request.kind === 'part')
    return taker?.resolve('part' in request ? { value: request.part } : { done: true, value: undefined })
  if (request.kind === 'part-failed') return taker?.reject(fromFailure(request.failure))
  taker = undefined
  const reply = await answer(request).then(
    (result): WriterReply => ({ kind: 'done', result }),
    (thrown): WriterReply => ({ kind: 'failed', failure: toFailure(thrown) }),
  )
  port.postMessage(reply)
  if (request.kind === 'command' && request.name === 'close') port.close()
})
