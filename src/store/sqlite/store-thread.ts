import { parentPort, workerData } from 'node:worker_threads'
import type { Operation } from '../../core/port/store.ts'
import { loadXxh64 } from '../../util/xxh64.ts'
import type { Job } from './batch.ts'
import { callStates } from './call-state.ts'
import {
  fromFailure,
  type NamedJob,
  type SentOutcome,
  type ThreadReply,
  type ThreadRequest,
  type ThreadStart,
  toFailure,
} from './thread-messages.ts'
import { createWriter } from './writer.ts'

const port = parentPort
if (!port) throw new Error('store-thread.ts runs as a worker only')
const { options, calls } = workerData as ThreadStart
const hash = await loadXxh64()
const writer = createWriter(options, hash, callStates(calls))

type AnyOperation = Operation<never, unknown>
let operations: Promise<Map<string, AnyOperation>> | undefined
/** Loaded by the first write: a thread that only migrates or checks starts sooner without. */
async function operationsByName(): Promise<Map<string, AnyOperation>> {
  operations ??= import('../../core/operations.ts').then(
    ({ OPERATIONS }) => new Map(OPERATIONS.map((one) => [one.name, one])),
  )
  return operations
}

function unknownOperation(name: string): AnyOperation {
  const error = new Error(`there is no operation ${name}; add it to core/operations.ts`)
  return { name, run: () => Promise.reject(error) }
}

let asked: PromiseWithResolvers<IteratorResult<unknown>> | undefined
function nextPart(): Promise<IteratorResult<unknown>> {
  asked = Promise.withResolvers()
  // An operation that ends early leaves the last one.
  asked.promise.catch(() => undefined)
  port?.postMessage({ kind: 'next part' } satisfies ThreadReply)
  return asked.promise
}

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

async function jobsOf(named: readonly NamedJob[]): Promise<Job[]> {
  const known = await operationsByName()
  return named.map(({ name, input, hasSource }) => ({
    operation: known.get(name) ?? unknownOperation(name),
    input,
    source: hasSource ? parts() : undefined,
  }))
}

async function carryOut(request: ThreadRequest): Promise<unknown> {
  if (request.kind === 'run') {
    const outcomes = await writer.run(await jobsOf(request.jobs), request.options)
    return outcomes.map(
      (outcome): SentOutcome => ('error' in outcome ? { failure: toFailure(outcome.error) } : outcome),
    )
  }
  if (request.kind === 'command') return writer.command(request.name, ...request.args)
  if (request.kind === 'check') {
    const { checkFile } = await import('./health-run.ts')
    return checkFile(options.file, { ...request.owned, hash })
  }
  return writer.close()
}

port.on('message', async (request: ThreadRequest) => {
  if (request.kind === 'part') return asked?.resolve(request.part)
  if (request.kind === 'no part') return asked?.reject(fromFailure(request.failure))
  const reply = await carryOut(request).then(
    (result): ThreadReply => ({ kind: 'done', result }),
    (thrown): ThreadReply => ({ kind: 'failed', failure: toFailure(thrown) }),
  )
  port.postMessage(reply)
  if (request.kind === 'close') port.close()
})
