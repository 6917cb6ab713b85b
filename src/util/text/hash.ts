import { createHash, hash } from 'node:crypto'

/** 128 bits of SHA-256 as 32 hex digits: a collision-resistant content address. */
export function contentDigest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32)
}

/** The same over parts, as if they were one text. */
export function digestOf(parts: readonly (string | Uint8Array)[]): string {
  const whole = createHash('sha256')
  for (const part of parts) whole.update(part)
  return whole.digest('hex').slice(0, 32)
}
