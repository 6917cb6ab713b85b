const NEWLINE = 0x0a

export interface LineQueue {
  /** False when a line has become longer than is taken: nothing after the lines before it is of use. */
  push(chunk: Buffer): boolean
  /** The next whole line without its end; undefined while there is none. */
  next(): string | undefined
}

/** Lines out of pieces of any size. Pieces are put together once, when their line ends: a long one costs what it weighs. */
export function createLineQueue(maxBytes: number): LineQueue {
  /** Whole lines, in the chunks that they came in. */
  const lines: Buffer[] = []
  let at = 0
  let pieces: Buffer[] = []
  let pendingBytes = 0

  function finish(piece: Buffer): void {
    lines.push(pieces.length === 0 ? piece : Buffer.concat([...pieces, piece]))
    pieces = []
    pendingBytes = 0
  }

  return {
    push(chunk) {
      let from = 0
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        if (pendingBytes + end - from > maxBytes) return false
        finish(chunk.subarray(from, end))
        from = end + 1
      }
      if (from < chunk.length) pieces.push(chunk.subarray(from))
      pendingBytes += chunk.length - from
      return pendingBytes <= maxBytes
    },
    next() {
      const line = lines[at]
      if (line === undefined) return undefined
      at++
      if (at === lines.length) {
        lines.length = 0
        at = 0
      }
      return line.toString('utf8')
    },
  }
}
