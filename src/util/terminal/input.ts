/** A stream to read text from. */
export interface TextInput {
  /** A person would have to type it. */
  readonly isTerminal: boolean
  /** All of it. Undefined if it is not UTF-8. */
  read(): Promise<string | undefined>
  /** The first line, without its end; empty if there is none. Nothing can be read afterwards. */
  readLine(): Promise<string>
  /** Every line, without its end, as soon as it is there. */
  lines(): AsyncGenerator<string>
}

/** The part of `process.stdin` that is used here. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean
}

/** `open` is called on first use: an unread stream is best left alone. */
export function createInput(open: () => ByteStream): TextInput {
  return {
    get isTerminal() {
      return open().isTTY === true
    },
    async read() {
      const decoder = new TextDecoder('utf-8', { fatal: true })
      let text = ''
      try {
        for await (const bytes of open()) text += decoder.decode(bytes, { stream: true })
        return text + decoder.decode()
      } catch (error) {
        if (
          error instanceof TypeError &&
          'code' in error &&
          error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        )
          return undefined
        throw error
      }
    },
    async readLine() {
      for await (const line of linesOf(open())) return line
      return ''
    },
    lines: () => linesOf(open()),
  }
}

async function* linesOf(stream: ByteStream): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield withoutReturn(line)
  }
  rest += decoder.decode()
  if (rest !== '') yield withoutReturn(rest)
}

/** The end of a line on Windows is two characters. */
function withoutReturn(line: string): string {
  return line.replace(/\r$/, '')
}
