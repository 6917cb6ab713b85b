const NEWLINE = 0x0a
/** How much of each end of an overlong line is kept. */
const KEPT_BYTES = 1024

/** The known parts of an overlong line. */
export interface LongLine {
  start: string
  end: string
  bytes: number
}

export interface LineQueue {
  push(chunk: Buffer): void
  /** The next whole line without its end; undefined if there is none yet. */
  next(): string | LongLine | undefined
}

/** Splits pieces of any size into lines. Pieces are joined once, when their line ends: the cost is linear. */
export function createLineQueue(maxBytes: number): LineQueue {
  /** Whole lines, in the chunks that they arrived in. */
  const lines: (Buffer | LongLine)[] = []
  let at = 0
  let pieces: Buffer[] = []
  let pendingBytes = 0
  /** Both ends of a line that has become too long; `pieces` has nothing of it any more. */
  let ends: { start: Buffer; end: Buffer } | undefined

  function add(piece: Buffer): void {
    pendingBytes += piece.length
    if (ends) ends.end = lastBytes([ends.end, piece])
    else pieces.push(piece)
    if (ends || pendingBytes <= maxBytes) return
    ends = { start: Buffer.concat(pieces, Math.min(KEPT_BYTES, pendingBytes)), end: lastBytes(pieces) }
    pieces = []
  }

  function finish(): void {
    lines.push(
      ends
        ? { start: ends.start.toString('utf8'), end: ends.end.toString('utf8'), bytes: pendingBytes }
        : joined(pieces),
    )
    pieces = []
    pendingBytes = 0
    ends = undefined
  }

  return {
    push(chunk) {
      let from = 0
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        add(chunk.subarray(from, end))
        finish()
        from = end + 1
      }
      if (from < chunk.length) add(chunk.subarray(from))
    },
    next() {
      const line = lines[at]
      if (line === undefined) return undefined
      at++
      if (at === lines.length) {
        lines.length = 0
        at = 0
      }
      return Buffer.isBuffer(line) ? line.toString('utf8') : line
    },
  }
}

function joined(pieces: Buffer[]): Buffer {
  const [first] = pieces
  return first && pieces.length === 1 ? first : Buffer.concat(pieces)
}

/** A copy, so that the pieces can be freed. */
function lastBytes(pieces: readonly Buffer[]): Buffer {
  let from = pieces.length
  for (let bytes = 0; from > 0 && bytes < KEPT_BYTES; ) bytes += pieces[--from]?.length ?? 0
  return Buffer.from(Buffer.concat(pieces.slice(from)).subarray(-KEPT_BYTES))
}
