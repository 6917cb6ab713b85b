import { parentPort, workerData } from 'node:worker_threads'
import type { LoadedFile, LoadRequest } from '../core/compile/source-folder.ts'
import { isMemoryError } from '../core/errors.ts'
import { createLoader, type LoadOptions } from './load-file.ts'

export type ParseReply = { ok: true; files: LoadedFile[] } | { ok: false; message: string; cause: unknown }

const port = parentPort
if (!port) throw new Error('parse-thread.ts runs as a worker only')

const load = createLoader(workerData as LoadOptions)

async function answer(requests: LoadRequest[]): Promise<ParseReply> {
  try {
    const files: LoadedFile[] = []
    for (const request of requests) files.push(await load(request))
    return { ok: true, files }
  } catch (error) {
    if (!isMemoryError(error)) throw error
    return { ok: false, message: error.message, cause: error.cause }
  }
}

// One after the other: answers come in the order of the requests.
let last = Promise.resolve()
port.on('message', (requests: LoadRequest[]) => {
  last = last.then(async () => port.postMessage(await answer(requests)))
})
