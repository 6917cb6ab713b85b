import { parentPort, workerData } from 'node:worker_threads'
import { type Failure, toFailure } from '../../core/failure.ts'
import { PREPARATIONS } from '../../core/operations/preparations.ts'
import { createRedactor } from '../../ingest/redact/redactor.ts'
import { loadPrepareTools, type PrepareSettings } from './prepare-tools.ts'

/** To the thread: one at a time. */
export interface PrepareRequest {
  name: string
  input: unknown
}

export type PrepareReply = { output: unknown } | { failure: Failure }

const port = parentPort
if (!port) throw new Error('prepare-thread.ts runs as a worker only')

const settings = workerData as PrepareSettings
const tools = await loadPrepareTools(await createRedactor(settings.redaction), settings)

function answer({ name, input }: PrepareRequest): PrepareReply {
  try {
    const preparation = PREPARATIONS.find((one) => one.name === name)
    if (!preparation) throw new Error(`there is no preparation ${name}`)
    return { output: preparation.run(tools, input as never) }
  } catch (error) {
    return { failure: toFailure(error) }
  }
}

port.on('message', (request: PrepareRequest) => port.postMessage(answer(request)))
