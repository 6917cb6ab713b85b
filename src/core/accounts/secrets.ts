import { DAY_MS } from '../../util/text/duration.ts'
import { recordAccount } from './audit.ts'
import { type AccountDeps, createId } from './deps.ts'
import { isExpired } from './live.ts'
import type { ServerSecret } from './model.ts'
import type { AccountTx } from './port.ts'

export type RotatedKind = 'signing' | 'cookies'

/** Makes the value of a new secret. */
export type CreateSecret = () => string | Promise<string>

/** What an old secret signed can be checked for so long. */
const KEPT_MS = 30 * DAY_MS

/** Secrets of the server, which all its processes share. */
export function createSecrets(deps: AccountDeps) {
  const { store, now } = deps
  const record = recordAccount(deps)

  /** The newest first, which is the one to use; the others are for checking. Made on first use. */
  async function current(kind: RotatedKind, create: CreateSecret): Promise<ServerSecret[]> {
    const known = await store.read(async (tx) => valid(await tx.secrets(kind)))
    if (known.length > 0) return known
    const value = await create()
    return store.write(async (tx) => {
      // Another process may have made one meanwhile.
      const others = valid(await tx.secrets(kind))
      return others.length > 0 ? others : [await add(tx, kind, value)]
    })
  }

  async function rotate(kind: RotatedKind, create: CreateSecret): Promise<void> {
    const value = await create()
    await store.write(async (tx) => {
      for (const old of await tx.secrets(kind)) {
        if (isExpired(old, now())) await tx.removeSecret(old.id)
        else if (old.expiresAt === null) await tx.putSecret({ ...old, expiresAt: now() + KEPT_MS })
      }
      await add(tx, kind, value)
      await record(tx, 'keys_rotated', { kind: 'secret', id: kind })
    })
  }

  async function add(tx: AccountTx, kind: RotatedKind, value: string): Promise<ServerSecret> {
    const secret = { id: createId(deps), kind, value, createdAt: now(), expiresAt: null }
    await tx.putSecret(secret)
    return secret
  }

  function valid(secrets: readonly ServerSecret[]): ServerSecret[] {
    return secrets.filter((secret) => !isExpired(secret, now())).toReversed()
  }

  return {
    signing: (create: CreateSecret): Promise<ServerSecret[]> => current('signing', create),
    cookies: (create: CreateSecret): Promise<ServerSecret[]> => current('cookies', create),
    rotate,
  }
}
