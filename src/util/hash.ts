import { createHash, hash } from 'node:crypto'
import createXxhash from 'xxhash-wasm'

/** 128 bits of SHA-256 as 32 hex digits: content addressing that nobody can make collide on purpose. */
export function contentDigest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32)
}

/** The same over parts, as if they were one text. */
export function digestOf(parts: readonly (string | Uint8Array)[]): string {
  const whole = createHash('sha256')
  for (const part of parts) whole.update(part)
  return whole.digest('hex').slice(0, 32)
}

/** XXH64 with seed 0 over the text's UTF-8 bytes. */
export type Xxh64 = (text: string) => bigint

let loading: Promise<Xxh64> | undefined

/** Compiles the hash once per process. */
export function loadXxh64(): Promise<Xxh64> {
  loading ??= createXxhash().then(
    ({ h64 }) =>
      (text) =>
        h64(text),
  )
  return loading
}
