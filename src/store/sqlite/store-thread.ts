import { parentPort } from 'node:worker_threads'
import { fromFailure } from '../../core/failure.ts'
import type { Operation } from '../../core/port/store.ts'
import { loadXxh64 } from '../../util/text/xxh64.ts'
import type { Job } from './batch.ts'
import { createHostedHandles, type HostedHandles } from './hosted-handles.ts'
import { checkFile } from './readers.ts'
import {
  type NamedJob,
  type SentOutcome,
  sentFailure,
  type Task,
  type ThreadReply,
  type ThreadRequest,
} from './thread-messages.ts'

const port = parentPort
if (!port) throw new Error('store-thread.ts runs as a worker only')
const hash = await loadXxh64()
const handles = createHostedHandles(hash)

type Named = { readonly name: string }
/** Loads a list on first use: a thread starts sooner without it. */
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
  const error = new Error(`unknown operation ${name}; add it to core/operations/operations.ts`)
  return { name, run: () => Promise.reject(error) }
}

async function answer(
  { readers }: HostedHandles,
  { name, input, now }: Extract<Task, { kind: 'query' }>,
): Promise<unknown> {
  const query = (await queries()).get(name)
  if (!query) throw new Error(`unknown query ${name}; add it to core/operations/queries.ts`)
  return query.run({ store: readers(now), handle: readers, hash, now }, input as never)
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

async function carryOut({ database, task }: Extract<ThreadRequest, { kind: 'task' }>): Promise<unknown> {
  const hosted = handles.of(database)
  if (task.kind === 'run') {
    const outcomes = await hosted.writer.run(await jobsOf(task.jobs), task.options)
    return outcomes.map(
      (outcome): SentOutcome => ('error' in outcome ? { failure: sentFailure(outcome.error) } : outcome),
    )
  }
  if (task.kind === 'command') return hosted.writer.command(task.name, ...task.args)
  if (task.kind === 'query') return answer(hosted, task)
  return checkFile(database.options.file, { ...task.owned, hash })
}

function replyTo(work: Promise<unknown>): Promise<ThreadReply> {
  return work.then(
    (result): ThreadReply => ({ kind: 'done', result }),
    (thrown): ThreadReply => ({ kind: 'failed', failure: sentFailure(thrown) }),
  )
}

async function release(id: number): Promise<ThreadReply> {
  const reply = await replyTo(handles.release(id))
  return { kind: 'released', id, failure: reply.kind === 'failed' ? reply.failure : undefined }
}

port.on('message', async (request: ThreadRequest) => {
  if (request.kind === 'part') return asked?.resolve(request.part)
  if (request.kind === 'no part') return asked?.reject(fromFailure(request.failure))
  if (request.kind === 'task') return port.postMessage(await replyTo(carryOut(request)))
  if (request.kind === 'release') return port.postMessage(await release(request.id))
  port.postMessage(await replyTo(handles.releaseAll()))
  port.close()
})
