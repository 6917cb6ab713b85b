import { scrypt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { HASH_BYTES, SCRYPT_COST } from '../../core/accounts/passwords.ts'
import { MemoryError } from '../../core/errors.ts'
import { createGate } from '../../util/gate.ts'

/** At most two of the four threads that Node has for such work, and never all cores: everything else goes on beside it. */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1))
const MAX_WAITING = 16
/** What scrypt needs, and half of that again: Node's default is too little for this cost. */
const MAX_MEMORY = 192 * SCRYPT_COST.N * SCRYPT_COST.r

/** Hashes passwords on other threads, one or two at once. A flood of logins is refused, so that nothing else has to wait for it. */
export function createScrypt() {
  const gate = createGate(AT_ONCE)
  let pending = 0
  return async (password: string, salt: Uint8Array): Promise<Uint8Array> => {
    if (pending >= AT_ONCE + MAX_WAITING)
      throw new MemoryError('LIMIT_EXCEEDED', 'too many people are signing in; try again in a few seconds')
    pending++
    try {
      return await gate(() => derive(password, salt))
    } finally {
      pending--
    }
  }
}

function derive(password: string, salt: Uint8Array): Promise<Uint8Array> {
  const options = { ...SCRYPT_COST, maxmem: MAX_MEMORY }
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, options, (error, hash) => (error ? reject(error) : resolve(hash)))
  })
}
