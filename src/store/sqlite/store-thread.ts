import { parentPort, workerData } from 'node:worker_threads'
import { fromFailure } from '../../core/failure.ts'
import type { Operation } from '../../core/port/store.ts'
import { loadXxh64 } from '../../util/text/xxh64.ts'
import type { Job } from './batch.ts'
import { callStates } from './call-state.ts'
import { createReaders } from './readers.ts'
import {
  type NamedJob,
  type SentOutcome,
  sentFailure,
  type ThreadReply,
  type ThreadRequest,
  type ThreadStart,
} from './thread-messages.ts'
import { createWriter } from './writer.ts'

const port = parentPort
if (!port) throw new Error('store-thread.ts runs as a worker only')
const { options, calls } = workerData as ThreadStart
const hash = await loadXxh64()
const writer = createWriter(options, hash, callStates(calls))

type Named = { readonly name: string }
/** Loads a list with the first of it that is asked for: a thread starts sooner without. */
function loadedOnce<T extends Named>(load: () => Promise<readonly T[]>): () => Promise<Map<string, T>> {
  let known: Promise<Map<string, T>> | undefined
  return () => {
    known ??= load().then((all) => new Map(all.map((one) => [one.name, one])))
    return known
  }
}
const operations = loadedOnce(async () => (await import('../../core/operations/operations.ts')).OPERATIONS)
const queries = loadedOnce(async () => (await import('../../core/operations/queries.ts')).QUERIES)

function unknownOperation(name: string): Operation<never, unknown> {
  const error = new Error(`there is no operation ${name}; add it to core/operations/operations.ts`)
  return { name, run: () => Promise.reject(error) }
}

let readers: ReturnType<typeof createReaders> | undefined
/** When the query that runs was asked. */
let askedAt = 0
async function answer({ name, input, now }: Extract<ThreadRequest, { kind: 'query' }>): Promise<unknown> {
  const query = (await queries()).get(name)
  if (!query) throw new Error(`there is no query ${name}; add it to core/operations/queries.ts`)
  askedAt = now
  readers ??= createReaders(options.file, hash, () => askedAt)
  return query.run({ store: readers, hash, now }, input as never)
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
  const known = await operations()
  return named.map(({ name, input, hasSource, staged }) => ({
    operation: known.get(name) ?? unknownOperation(name),
    input,
    source: hasSource ? parts() : undefined,
    staged,
  }))
}

async function carryOut(request: ThreadRequest): Promise<unknown> {
  if (request.kind === 'run') {
    const outcomes = await writer.run(await jobsOf(request.jobs), request.options)
    return outcomes.map(
      (outcome): SentOutcome => ('error' in outcome ? { failure: sentFailure(outcome.error) } : outcome),
    )
  }
  if (request.kind === 'command') return writer.command(request.name, ...request.args)
  if (request.kind === 'query') return answer(request)
  if (request.kind === 'check') {
    const { checkFile } = await import('./health-run.ts')
    return checkFile(options.file, { ...request.owned, hash })
  }
  await readers?.close()
  return writer.close()
}

port.on('message', async (request: ThreadRequest) => {
  if (request.kind === 'part') return asked?.resolve(request.part)
  if (request.kind === 'no part') return asked?.reject(fromFailure(request.failure))
  const reply = await carryOut(request).then(
    (result): ThreadReply => ({ kind: 'done', result }),
    (thrown): ThreadReply => ({ kind: 'failed', failure: sentFailure(thrown) }),
  )
  port.postMessage(reply)
  if (request.kind === 'close') port.close()
})
