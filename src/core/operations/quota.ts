import type { WriteCaller } from '../access/principal.ts'
import { MemoryError } from '../errors.ts'
import type { WriteTx } from '../port/store.ts'
import type { WriteSet } from '../port/write-set.ts'
import { countedFor } from '../rows/user-counts.ts'

export interface QuotaCheck {
  /** A set that the operation commits. */
  noteSet(set: WriteSet): void
  /** To be called at the end. Throws LIMIT_EXCEEDED if the operation stored more for the caller than its quota allows. */
  check(): Promise<void>
}

const NO_CHECK: QuotaCheck = { noteSet: () => undefined, check: async () => undefined }

/**
 * Checks the quota of a caller inside the transaction of its operation, so that two calls cannot use the same room. The
 * previous use is read together with the first reads of the operation.
 */
export function checkQuota(tx: Pick<WriteTx, 'scan'>, caller: WriteCaller | undefined): QuotaCheck {
  if (!caller?.limits) return NO_CHECK
  const { userId, limits } = caller
  const reading = countedFor(tx, userId)
  // The operation may fail first.
  reading.catch(() => undefined)
  const grown = { count: 0, bytes: 0 }
  return {
    noteSet({ userCounts = [] }) {
      for (const change of userCounts) {
        if (change.userId !== userId) continue
        grown.count += change.count
        grown.bytes += change.bytes
      }
    },
    async check() {
      if (grown.count <= 0 && grown.bytes <= 0) return
      const used = await reading
      const after = { count: used.count + grown.count, bytes: used.bytes + grown.bytes }
      if (grown.count > 0 && after.count > (limits.memories ?? Number.POSITIVE_INFINITY))
        throw memoriesExceeded(grown.count === 1 ? used.count : after.count, limits.memories)
      if (grown.bytes > 0 && after.bytes > (limits.bytes ?? Number.POSITIVE_INFINITY))
        throw bytesExceeded(after.bytes, limits.bytes)
    },
  }
}

/** The texts are part of the contract. */
function memoriesExceeded(count: number, limit: number | undefined): MemoryError {
  const message = `Memory quota reached (${count}/${limit}). Delete some memories to store new ones.`
  return new MemoryError('LIMIT_EXCEEDED', message)
}

function bytesExceeded(bytes: number, limit: number | undefined): MemoryError {
  const message = `Storage quota reached (${bytes}/${limit} bytes). Delete some memories to free space.`
  return new MemoryError('LIMIT_EXCEEDED', message)
}
