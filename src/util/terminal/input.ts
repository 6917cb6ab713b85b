/** A stream to read text from. */
export interface TextInput {
  /** A person would have to type it. */
  readonly isTerminal: boolean
  /** All of it. Undefined if it is not UTF-8. */
  read(): Promise<string | undefined>
  /** The first line, without its end; empty if there is none. Nothing can be read afterwards. */
  readLine(): Promise<string>
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
      const decoder = new TextDecoder()
      let text = ''
      for await (const bytes of open()) {
        text += decoder.decode(bytes, { stream: true })
        if (text.includes('\n')) break
      }
      return text.split(/\r?\n/, 1)[0] ?? ''
    },
  }
}
