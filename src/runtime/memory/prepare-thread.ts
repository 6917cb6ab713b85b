import { parentPort } from 'node:worker_threads'
import { type Failure, toFailure } from '../../core/failure.ts'
import { PREPARATIONS } from '../../core/operations/preparations.ts'
import type { PrepareTools } from '../../core/prepare.ts'
import { createRedactor } from '../../ingest/redact/redactor.ts'
import { loadPrepareTools, type PrepareSettings } from './prepare-tools.ts'

/** To the thread: one at a time. */
export interface PrepareRequest {
  name: string
  input: unknown
  settings: PrepareSettings
}

export type PrepareReply = { output: unknown } | { failure: Failure }

const port = parentPort
if (!port) throw new Error('prepare-thread.ts runs as a worker only')

/** By the text of their settings: memories with the same settings share them. */
const known = new Map<string, Promise<PrepareTools>>()
/** More than this many different settings are not remembered. */
const MAX_KNOWN = 64

function toolsFor(settings: PrepareSettings): Promise<PrepareTools> {
  const name = JSON.stringify(settings)
  const tools = known.get(name) ?? loadTools(settings)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(name, tools)
  return tools
}

async function loadTools(settings: PrepareSettings): Promise<PrepareTools> {
  return loadPrepareTools(await createRedactor(settings.redaction), settings)
}

async function answer({ name, input, settings }: PrepareRequest): Promise<PrepareReply> {
  try {
    const preparation = PREPARATIONS.find((one) => one.name === name)
    if (!preparation) throw new Error(`there is no preparation ${name}`)
    return { output: preparation.run(await toolsFor(settings), input as never) }
  } catch (error) {
    return { failure: toFailure(error) }
  }
}

port.on('message', async (request: PrepareRequest) => port.postMessage(await answer(request)))
