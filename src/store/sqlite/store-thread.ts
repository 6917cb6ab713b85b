import { parentPort, workerData } from 'node:worker_threads'
import type { Operation } from '../../core/port/store.ts'
import { loadXxh64 } from '../../util/xxh64.ts'
import { callState } from './call-state.ts'
import {
  fromFailure,
  type Question,
  type ThreadReply,
  type ThreadRequest,
  type ThreadStart,
  toFailure,
} from './thread-messages.ts'
import { createWriter } from './writer.ts'

const port = parentPort
if (!port) throw new Error('store-thread.ts runs as a worker only')
const { options, call } = workerData as ThreadStart
const hash = await loadXxh64()
const writer = createWriter(options, hash, callState(call))

let operations: Promise<Map<string, Operation<unknown, unknown>>> | undefined
/** Loaded by the first write: a thread that only migrates or checks starts sooner without. */
async function operationNamed(name: string): Promise<Operation<unknown, unknown>> {
  operations ??= import('../../core/operations.ts').then(
    ({ OPERATIONS }) =>
      new Map((OPERATIONS as readonly Operation<unknown, unknown>[]).map((one) => [one.name, one])),
  )
  const operation = (await operations).get(name)
  if (!operation) throw new Error(`there is no operation ${name}; add it to core/operations.ts`)
  return operation
}

let asked: PromiseWithResolvers<unknown> | undefined
function ask(question: Question): Promise<unknown> {
  asked = Promise.withResolvers()
  // An operation that ends early leaves the last one.
  asked.promise.catch(() => undefined)
  port?.postMessage({ kind: 'question', question } satisfies ThreadReply)
  return asked.promise
}

/** One part ahead: it is made while the one before is stored. */
async function* parts(): AsyncGenerator<unknown> {
  let next = ask('part')
  for (;;) {
    const { done, value } = (await next) as IteratorResult<unknown>
    if (done) return
    next = ask('part')
    yield value
  }
}

const waitMs = (): Promise<number> => ask('waitMs') as Promise<number>

async function carryOut(request: ThreadRequest): Promise<unknown> {
  if (request.kind === 'run') {
    const operation = await operationNamed(request.name)
    return writer.run(operation, request.input, { ...request.options, source: parts(), waitMs })
  }
  if (request.kind === 'command') return writer.command(request.name, ...request.args)
  if (request.kind === 'check') {
    const { checkFile } = await import('./health-run.ts')
    return checkFile(options.file, { ...request.owned, hash })
  }
  return writer.close()
}

port.on('message', async (request: ThreadRequest) => {
  if (request.kind === 'answer') return asked?.resolve(request.value)
  if (request.kind === 'refusal') return asked?.reject(fromFailure(request.failure))
  const reply = await carryOut(request).then(
    (result): ThreadReply => ({ kind: 'done', result }),
    (thrown): ThreadReply => ({ kind: 'failed', failure: toFailure(thrown) }),
  )
  port.postMessage(reply)
  if (request.kind === 'close') port.close()
})
