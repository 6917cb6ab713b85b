import type { Pair } from './pair.ts'
import { isSpace } from './text/chars.ts'

const HEADER = /^[|>][-+\d]{0,3}[ \t]*\r?$/
const MAX_HEADER = 20
const MAX_LENGTH = 8192
const MAX_DEPTH = 8

/** Blocks of YAML: `key: |` and the lines below it that are further in. One object for a whole text. */
export class Blocks {
  readonly #pair: Pair
  /** Where the blocks end that the last one is in, and its own end. */
  #ends: number[] = []

  constructor(pair: Pair) {
    this.#pair = pair
  }

  /** For another text. */
  reset(): void {
    this.#ends = []
  }

  /** Reads the block whose sign is at `from` as the value of its pair. False if there is none. */
  read(from: number): boolean {
    const { scan } = this.#pair
    const lineEnd = scan.lineEnd(from)
    if (lineEnd - from > MAX_HEADER || !HEADER.test(scan.text.slice(from, lineEnd))) return false
    if (this.#isDeep(from)) return false
    const end = this.#endOf(lineEnd + 1, scan.lineIndent())
    this.#ends.push(end)
    let start = lineEnd + 1
    while (start < end && isSpace(scan.code(start))) start++
    return start < end && this.#pair.take(start, end, true)
  }

  /** Lines are read for every block that they are in: deep inside blocks no further one is read. */
  #isDeep(from: number): boolean {
    this.#ends = this.#ends.filter((end) => end > from)
    return this.#ends.length >= MAX_DEPTH
  }

  #endOf(start: number, indent: number): number {
    const { scan } = this.#pair
    let end = start
    for (let at = start; at < scan.length && at - start < MAX_LENGTH; ) {
      const feed = scan.text.indexOf('\n', at)
      const lineEnd = feed < 0 ? scan.length : feed
      const last = this.#pair.trimmedEnd(at, lineEnd)
      if (last > at && scan.indentAt(at) <= indent) break
      if (last > at) end = last
      at = lineEnd + 1
    }
    return end
  }
}
