import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Call, Engine, Operation, Staged } from '../../core/port/store.ts'
import { partName, removeLeftParts } from '../../util/files/part-file.ts'
import { removeDatabase } from './health/copy.ts'

/** Memories of their own, each for one large operation, in files beside that of the memory that takes them over. */
export function createStagings(file: string, open: (part: string, readOnly: boolean) => Promise<Engine>) {
  const running = new Set<Promise<void>>()

  async function stage<I, O>(operation: Operation<I, O>, input: I, call?: Call): Promise<Staged<O>> {
    const part = partName(file, 'staging')
    const discarded = Promise.withResolvers<void>()
    running.add(discarded.promise)
    let engine: Engine | undefined
    async function discard(): Promise<void> {
      try {
        await engine?.close()
        removeDatabase(part)
      } finally {
        running.delete(discarded.promise)
        discarded.resolve()
      }
    }
    try {
      engine = await open(part, false)
      const result = await engine.store.write(operation, input, call)
      // Its thread holds much by now, and more is needed to take over what it stored.
      await engine.close()
      engine = await open(part, true)
      return { result, name: part, read: engine.store.read, discard }
    } catch (error) {
      await discard()
      throw error
    }
  }

  return {
    stage,
    /** Waits until all are discarded. */
    close: async (): Promise<void> => void (await Promise.all(running)),
  }
}

/** What processes left that died. A folder that cannot be read holds nothing of theirs, or is not ours to clear. */
export async function removeLeftStagings(file: string): Promise<void> {
  const folder = dirname(file)
  try {
    removeLeftParts(folder, await readdir(folder), 'staging')
  } catch {
    // It is only in nobody's way.
  }
}
