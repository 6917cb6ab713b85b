import { printableJson } from '../../util/text/printable.ts'
import { isMemoryError } from '../errors.ts'
import { type Envelope, invalidArguments, readCommandInput, runCommand } from './command.ts'
import type { FileService, ServiceChoice } from './door.ts'
import { FileError } from './errors.ts'
import { type MemorySource, readMemorySource } from './memory-source.ts'
import { type MemoryToolConfig, readToolConfig } from './tool-config.ts'

export interface MemoryTool {
  readonly config: MemoryToolConfig
  /** If the config is invalid, the previous values stay. */
  setConfig(config: unknown): void
  setMemorySource(source: MemorySource): void
  /** The answer to any call, including invalid ones. */
  run(args: unknown, call?: { threadId?: string | undefined }): Promise<Envelope>
  /** The same, as the text that a model gets. */
  call(args: unknown, call?: { threadId?: string | undefined }): Promise<string>
}

const NOT_CONNECTED = 'Memory not connected: wire Memory.$self to Tool.$memory (setMemorySource)'

/** The one tool on files: runs commands on its memory node. */
export function createMemoryTool(given: unknown = {}): MemoryTool {
  let config = readToolConfig(given)
  let source: ((choice?: ServiceChoice) => FileService) | undefined

  async function run(args: unknown, { threadId }: { threadId?: string | undefined } = {}): Promise<Envelope> {
    const input = readCommandInput(args)
    if (!input) return invalidArguments(args)
    return runCommand({ service: () => connected(source, threadId), allowed: config.commands }, input)
  }
  return {
    get config() {
      return config
    },
    setConfig(next) {
      config = readToolConfig(next)
    },
    setMemorySource(next) {
      source = readMemorySource(next)
    },
    run,
    call: async (args, call) => printableJson(JSON.stringify(await run(args, call))),
  }
}

function connected(
  source: ((choice?: ServiceChoice) => FileService) | undefined,
  threadId: string | undefined,
): FileService {
  if (!source) throw new FileError('ENOTMEM', NOT_CONNECTED)
  try {
    return source({ threadId })
  } catch (error) {
    if (error instanceof FileError) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new FileError('ENOTMEM', isMemoryError(error) ? message : `Memory not connected: ${message}`, {
      cause: error,
    })
  }
}
