/** A stream to write text to. Each `write` waits until the text is accepted, so that a slow reader slows the writer. */
export interface Output {
  readonly isTerminal: boolean
  /** Of the terminal; 80 if there is none. */
  readonly columns: number
  /** Throws `ClosedOutputError` once the reader is gone. */
  write(text: string): Promise<void>
}

/** The reader of our output is gone (`… | head`): nothing more can be written. */
export class ClosedOutputError extends Error {
  override readonly name = 'ClosedOutputError'
}

/** The part of `process.stdout` that is used here. */
export interface TextStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string, done: (error?: Error | null) => void): boolean
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** Clears the cursor's line on a terminal. */
export const CLEAR_LINE = '\r\x1b[2K'

const CLOSED = new Set(['EPIPE', 'EOF', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'])
const CHUNK_LENGTH = 64 * 1024

export function createOutput(stream: TextStream): Output {
  // Without a listener an error ends the process; the failed write reports it through its callback.
  stream.on('error', () => undefined)
  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns || 80
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => {
          if (!error) resolve()
          else if ('code' in error && CLOSED.has(String(error.code)))
            reject(new ClosedOutputError('the output is closed'))
          else reject(error)
        })
      }),
  }
}

/** Awaits `writing`; a closed output is not a failure. For work whose outcome does not depend on being read. */
export async function untilClosed(writing: Promise<void>): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (!(error instanceof ClosedOutputError)) throw error
  }
}

/** Writes pieces in chunks: a long text is never in memory as a whole. */
export async function writePieces(output: Output, pieces: Iterable<string>): Promise<void> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK_LENGTH) continue
    await output.write(chunk)
    chunk = ''
  }
  if (chunk !== '') await output.write(chunk)
}

export async function writeLines(output: Output, lines: Iterable<string>): Promise<void> {
  await writePieces(output, endEach(lines))
}

function* endEach(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`
}
