/** The text is not valid in its format. `line` counts from 1 in the whole file; null when unknown. */
export class ParseError extends Error {
  override readonly name = 'ParseError'
  readonly line: number | null
  readonly reason: string

  constructor(reason: string, line: number | null = null, options?: { cause?: unknown }) {
    super(line === null ? reason : `line ${line}: ${reason}`, options)
    this.line = line
    this.reason = reason
  }
}
