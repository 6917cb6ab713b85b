import { Worker } from 'node:worker_threads'
import type { LoadedFile, LoadRequest } from '../core/compile/source-folder.ts'
import { MemoryError } from '../core/errors.ts'
import { findOutOfFiles } from '../core/open-files.ts'
import { createBreath } from '../util/breathing.ts'
import { threadFile } from '../util/files/thread-file.ts'
import { createLoader, type LoadOptions } from './load-file.ts'
import type { ParseReply } from './parse-thread.ts'

export interface PoolOptions {
  loading: LoadOptions
  maxThreads: number
  signal?: AbortSignal | undefined
  /** The entry file of a thread. */
  entry?: URL
}

/** Less than this is parsed in the time that a thread takes to start. */
const INLINE_BYTES = 4 * 1024 * 1024
/** The size of a batch for a thread, unless one file is larger. */
const BATCH_BYTES = 128 * 1024
const BATCH_FILES = 64
/** Batches of each thread that are sent and not yet taken: more would only fill memory. */
const IN_FLIGHT = 2
/** How long parsing may hold this thread before others get a turn. */
const TURN_MS = 10

/** Reads and parses files, in threads if that is worth it. Answers in the order of the requests. */
export function loadFiles(requests: readonly LoadRequest[], options: PoolOptions): AsyncIterable<LoadedFile> {
  const bytes = requests.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return bytes < INLINE_BYTES ? loadHere(requests, options) : loadInThreads(requests, options)
}

export async function* loadHere(
  requests: readonly LoadRequest[],
  { loading, signal }: PoolOptions,
): AsyncGenerator<LoadedFile> {
  const load = createLoader(loading)
  const breathe = createBreath(TURN_MS, signal)
  for (const request of requests) {
    await breathe()
    yield await load(request)
  }
}

export async function* loadInThreads(
  requests: readonly LoadRequest[],
  { loading, maxThreads, signal, entry = threadFile('parse-thread', import.meta.url) }: PoolOptions,
): AsyncGenerator<LoadedFile> {
  const batches = toBatches(requests)
  const count = Math.min(maxThreads, batches.length)
  const threads = Array.from({ length: count }, () => startThread(entry, loading))
  try {
    const inFlight: Promise<LoadedFile[]>[] = []
    for (let next = 0; next < batches.length || inFlight.length > 0; ) {
      while (next < batches.length && inFlight.length < count * IN_FLIGHT)
        inFlight.push(idlest(threads).load(batches[next++] as LoadRequest[]))
      yield* await unlessAborted(inFlight.shift() as Promise<LoadedFile[]>, signal)
    }
  } finally {
    await Promise.all(threads.map((thread) => thread.stop()))
  }
}

function toBatches(requests: readonly LoadRequest[]): LoadRequest[][] {
  const batches: LoadRequest[][] = []
  let batch: LoadRequest[] = []
  let bytes = 0
  for (const request of requests) {
    batch.push(request)
    bytes += request.sizeBytes
    if (bytes < BATCH_BYTES && batch.length < BATCH_FILES) continue
    batches.push(batch)
    batch = []
    bytes = 0
  }
  return batch.length > 0 ? [...batches, batch] : batches
}

interface Thread {
  /** Batches sent and not answered. */
  readonly waiting: number
  load(batch: LoadRequest[]): Promise<LoadedFile[]>
  stop(): Promise<unknown>
}

interface Waiting {
  batch: LoadRequest[]
  resolve(files: LoadedFile[]): void
  reject(error: unknown): void
}

function startThread(entry: URL, loading: LoadOptions): Thread {
  const waiting: Waiting[] = []
  let death: MemoryError | undefined
  // Not the flags of the program: one such as --input-type would stop the thread from loading its file.
  const worker = new Worker(entry, { workerData: loading, execArgv: [] })
  worker.on('message', (reply: ParseReply) => {
    const { resolve, reject } = waiting.shift() as Waiting
    if (reply.ok) resolve(reply.files)
    else reject(new MemoryError('UNAVAILABLE', reply.message, { cause: reply.cause }))
  })
  function die(cause: unknown): void {
    death ??= threadDeath(waiting[0]?.batch, cause)
    for (const { reject } of waiting.splice(0)) reject(death)
  }
  worker.on('error', die)
  worker.on('messageerror', die)
  worker.on('exit', (code) => die(new Error(`exit code ${code}`)))

  return {
    get waiting() {
      return waiting.length
    },
    load(batch) {
      const answer = new Promise<LoadedFile[]>((resolve, reject) => {
        if (death) return reject(death)
        waiting.push({ batch, resolve, reject })
        worker.postMessage(batch)
      })
      // It is handled in its turn; until then nothing awaits it.
      answer.catch(() => undefined)
      return answer
    },
    stop: () => worker.terminate(),
  }
}

function idlest(threads: readonly Thread[]): Thread {
  return threads.reduce((best, thread) => (thread.waiting < best.waiting ? thread : best))
}

function threadDeath(batch: LoadRequest[] | undefined, cause: unknown): MemoryError {
  const outOfFiles = findOutOfFiles(cause)
  if (outOfFiles) return outOfFiles
  const reason = cause instanceof Error ? ('code' in cause ? cause.code : cause.message) : 'unknown reason'
  const where = batch ? ` while it read ${batch[0]?.path} and ${batch.length - 1} more` : ''
  return new MemoryError(
    'UNAVAILABLE',
    `failed to compile: a thread that parses stopped (${reason})${where}; nothing was stored. Try again, or compile less`,
    { cause },
  )
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted()
  if (!signal) return work
  const { promise, reject } = Promise.withResolvers<never>()
  const give = (): void => reject(signal.reason)
  signal.addEventListener('abort', give, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', give)
  }
}
