import { randomBase62 } from '../../util/text/base62.ts'
import type { AccountStore } from './port.ts'

export interface AccountDeps {
  store: AccountStore
  /** Unix milliseconds. */
  now(): number
  /** Cryptographically random. */
  randomBytes(count: number): Uint8Array
  /** In hex. */
  sha256(text: string): string
  /** A slow hash of a password, with the cost that `passwords.ts` states. Default: there are no passwords. */
  scrypt?(password: string, salt: Uint8Array): Promise<Uint8Array>
  /** Defers work that can wait, so that it is done in batches. Default: with the next task. */
  soon?(work: () => void): void
}

const ID_LENGTH = 16

/** Of a user, a space or a grant: 95 random bits, so that none is given twice. */
export function createId({ randomBytes }: Pick<AccountDeps, 'randomBytes'>): string {
  return randomBase62(ID_LENGTH, randomBytes)
}
