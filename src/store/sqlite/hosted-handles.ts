import type { Hash64 } from '../../core/digest.ts'
import { callStates } from './call-state.ts'
import { createReaders } from './readers.ts'
import type { HostedDatabase } from './thread-messages.ts'
import { createWriter, type Writer } from './writer.ts'

/** The handles on one database in this thread. Each is opened by the first task that needs it. */
export interface HostedHandles {
  writer: Writer
  /** Hides what has expired by `now`. */
  readers(now: number): ReturnType<typeof createReaders>
  /** Keeps nothing of what was read. */
  shrink(): void
  close(): Promise<void>
}

/** The handles of a thread that several databases share. Only those on the database that was used last keep what they read. */
export function createHostedHandles(hash: Hash64) {
  const hosted = new Map<number, HostedHandles>()
  let last: HostedHandles | undefined

  async function release(id: number): Promise<void> {
    const handles = hosted.get(id)
    hosted.delete(id)
    if (handles === last) last = undefined
    await handles?.close()
  }
  return {
    of(database: HostedDatabase): HostedHandles {
      const known = hosted.get(database.id) ?? openHandles(database, hash)
      hosted.set(database.id, known)
      if (last !== known) last?.shrink()
      last = known
      return known
    },
    release,
    /** What fails is passed over. */
    async releaseAll(): Promise<void> {
      await Promise.allSettled([...hosted.keys()].map(release))
    },
  }
}

function openHandles({ options, calls }: HostedDatabase, hash: Hash64): HostedHandles {
  let askedAt = 0
  const writer = createWriter(options, hash, callStates(calls))
  const readers = createReaders(options.file, hash, () => askedAt)
  return {
    writer,
    readers(now) {
      askedAt = now
      return readers
    },
    shrink() {
      readers.shrink()
      writer.shrink()
    },
    async close() {
      await readers.close()
      await writer.close()
    },
  }
}
