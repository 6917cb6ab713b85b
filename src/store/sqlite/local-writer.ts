import type { Hash64 } from '../../core/digest.ts'
import { translateError } from './errors.ts'
import { newSharedCall, sharedCallOf } from './shared-call.ts'
import { createWriter, type Writer, type WriterSettings } from './writer.ts'
import type { WriterClient } from './writer-client.ts'

/** The writer in this thread, which waits for the disk with it. It runs any operation, also one that is not in `OPERATIONS`. */
export function createLocalWriter(settings: WriterSettings, hash: Hash64): WriterClient {
  const call = sharedCallOf(newSharedCall())
  let writer: Writer | undefined
  function opened(): Writer {
    writer ??= createWriter(settings, hash, call)
    return writer
  }
  async function translated<T>(work: () => Promise<T>): Promise<T> {
    call.reset()
    try {
      return await work()
    } catch (error) {
      throw translateError(error)
    }
  }
  return {
    run: (operation, input, options) => translated(() => opened().run(operation, input, options)),
    command: (name, ...args) =>
      translated(async () => (opened().commands[name] as (...args: unknown[]) => unknown)(...args)),
    cancel: call.cancel,
    lockWaitMs: call.lockWaitMs,
    limitLockWait: call.limitLockWait,
    close: async () => writer?.commands.close(),
  }
}
