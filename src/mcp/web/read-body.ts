export interface BodyLimits {
  /** Of one body. */
  maxBytes: number
  /** Of all that are being read, beyond the first part of each: see `FREE_BYTES`. Default: any amount, for bodies that are smaller. */
  maxTotalBytes?: number
}

export type ReadBody =
  | { kind: 'text'; text: string }
  /** `crowded`: others take so much that there is no room for it now. `crumbs`: it comes in pieces that are too small. */
  | { kind: 'tooLarge' | 'crowded' | 'crumbs' | 'broken' }

/** Whoever sends large bodies slowly takes the room of other large ones only: so much of each does not count. */
const FREE_BYTES = 64 * 1024
/** Each costs time, whatever its size. A client that is slow sends some small ones; nobody means a million. */
const MAX_SMALL_PIECES = 16_384
const SMALL_BYTES = 64

/** Reads bodies as text. What was read so far is in memory: many at once that never end must not fill it. */
export function createBodyReader({ maxBytes, maxTotalBytes = Number.POSITIVE_INFINITY }: BodyLimits) {
  let totalBytes = 0

  async function readAll(
    reader: ReadableStreamDefaultReader<Uint8Array>,
    counted: Counted,
  ): Promise<ReadBody> {
    const decoder = new TextDecoder()
    let text = ''
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const refused = take(counted, next.value.byteLength)
      if (refused) return { kind: refused }
      text += decoder.decode(next.value, { stream: true })
    }
    return { kind: 'text', text: text + decoder.decode() }
  }
  /** One more piece, or why not. */
  function take(counted: Counted, bytes: number): 'tooLarge' | 'crowded' | 'crumbs' | undefined {
    counted.bytes += bytes
    if (bytes < SMALL_BYTES) counted.smallPieces++
    if (counted.bytes > maxBytes) return 'tooLarge'
    if (counted.smallPieces > MAX_SMALL_PIECES) return 'crumbs'
    const beyond = Math.max(0, counted.bytes - FREE_BYTES)
    totalBytes += beyond - counted.beyond
    counted.beyond = beyond
    return totalBytes > maxTotalBytes ? 'crowded' : undefined
  }

  return {
    async read(request: Request): Promise<ReadBody> {
      if (Number(request.headers.get('content-length')) > maxBytes) return { kind: 'tooLarge' }
      if (request.body === null) return { kind: 'text', text: '' }
      const counted: Counted = { bytes: 0, beyond: 0, smallPieces: 0 }
      const reader = request.body.getReader()
      try {
        return await readAll(reader, counted)
      } catch {
        return { kind: 'broken' }
      } finally {
        totalBytes -= counted.beyond
        reader.releaseLock()
      }
    },
    /** Of what is being read, as far as it counts. */
    totalBytes: () => totalBytes,
  }
}

export type BodyReader = ReturnType<typeof createBodyReader>

interface Counted {
  bytes: number
  /** As far as it counts for all of them together. */
  beyond: number
  smallPieces: number
}
