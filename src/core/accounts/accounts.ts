import { createAccountAudit } from './audit.ts'
import { createAuthenticate } from './authenticate.ts'
import { createClients } from './clients.ts'
import type { AccountDeps } from './deps.ts'
import { createExpired } from './expired.ts'
import { createGrants } from './grants.ts'
import { createKeys } from './keys.ts'
import { createLastUsed } from './last-used.ts'
import { createLogins } from './logins.ts'
import { createMembers } from './members.ts'
import { createPasswords } from './passwords.ts'
import { createRecords } from './records.ts'
import { createSecrets } from './secrets.ts'
import { createSetup } from './setup.ts'
import { createSpaces } from './spaces.ts'
import { createUsers } from './users.ts'

export type Accounts = ReturnType<typeof createAccounts>

/** Everything that can be done with the accounts of one server. */
export function createAccounts(deps: AccountDeps) {
  const { store } = deps
  const lastUsed = createLastUsed(deps)
  const expired = createExpired(deps)
  return {
    users: createUsers(deps),
    spaces: createSpaces(deps),
    members: createMembers(deps),
    keys: createKeys(deps),
    passwords: createPasswords(deps),
    logins: createLogins(deps, expired),
    grants: createGrants(deps),
    clients: createClients(deps),
    records: createRecords(deps, expired),
    secrets: createSecrets(deps),
    setup: createSetup(deps),
    /** Who did what to accounts. */
    audit: createAccountAudit(deps),
    ...createAuthenticate(deps, lastUsed),
    /** See `AccountStore`. */
    watch: store.watch,
    backup: store.backup,
    /** Stores when keys and grants were last used. */
    flush: lastUsed.flush,
    async close(): Promise<void> {
      // Knowing it is worth less than closing.
      await lastUsed.flush().catch(() => undefined)
      await store.close()
    },
  }
}
