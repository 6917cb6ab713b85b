import { randomBase62 } from '../../util/text/base62.ts'
import type { AccountStore } from './port.ts'

export interface AccountDeps {
  store: AccountStore
  /** Unix milliseconds. */
  now(): number
  /** From a source that nobody can predict. */
  randomBytes(count: number): Uint8Array
  /** In hex. */
  sha256(text: string): string
  /** Does what can wait a little, so that much of it is done at once. Default: with the next task. */
  soon?(work: () => void): void
}

const ID_LENGTH = 16

/** Of a user or a space: 95 random bits, so that none is given twice. */
export function createId({ randomBytes }: Pick<AccountDeps, 'randomBytes'>): string {
  return randomBase62(ID_LENGTH, randomBytes)
}
