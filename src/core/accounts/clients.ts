import { DAY_MS, HOUR_MS } from '../../util/text/duration.ts'
import type { WriteCaller } from '../access/principal.ts'
import { MemoryError } from '../errors.ts'
import { recordAccount } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import { notItsUser, revokeGrants } from './grants.ts'
import { isLive, stoppedAt } from './live.ts'
import type { OAuthClient } from './model.ts'
import { clientNameOf } from './names.ts'
import type { AccountTx } from './port.ts'

export interface NewClient {
  id: string
  name: string
  /** In JSON. */
  metadata: string
}

export interface ClientEntry extends OAuthClient {
  /** How many users let it into how many spaces, now. */
  grants: number
}

/** Anybody can register one: those that nobody lets in must not fill the database. */
const MAX_UNUSED = 1000
const UNUSED_MS = 30 * DAY_MS
/** So long a person may take to let it in: before that, it does not make room for others. */
const CONNECTING_MS = HOUR_MS

/** Programs that registered themselves. */
export function createClients(deps: AccountDeps) {
  const { store, now } = deps
  const record = recordAccount(deps)

  /** One that registers again keeps its owner. `by`: for the audit. */
  function register({ id, name, metadata }: NewClient, by?: WriteCaller): Promise<OAuthClient> {
    return store.write(async (tx) => {
      const old = await tx.client(id)
      const isUsed = (await tx.grants({ clientId: id })).some((grant) => isLive(grant, now()))
      if (!old) await makeRoom(tx)
      // An unused one begins again: nobody may remove it before a user could let it in.
      const createdAt = old && isUsed ? old.createdAt : now()
      const client = { id, name: clientNameOf(name), userId: old?.userId ?? null, metadata, createdAt }
      await tx.putClient(client)
      if (!old) await record(tx, 'client_registered', { kind: 'client', id }, by)
      return client
    })
  }

  async function makeRoom(tx: AccountTx): Promise<void> {
    const ends = await endsByClient(tx)
    const unused = (await tx.clients()).filter(({ id }) => (ends.get(id) ?? 0) <= now())
    const isOld = ({ id, createdAt }: OAuthClient): boolean =>
      Math.max(createdAt, ends.get(id) ?? 0) < now() - UNUSED_MS
    const kept = unused.filter((client) => !isOld(client))
    // A flood of them keeps others out for an hour, not for a month.
    const neverUsed = kept.filter(({ id, createdAt }) => !ends.has(id) && createdAt < now() - CONNECTING_MS)
    const oldest = neverUsed.toSorted((a, b) => a.createdAt - b.createdAt)
    const old = [...unused.filter(isOld), ...oldest.slice(0, Math.max(0, kept.length - MAX_UNUSED + 1))]
    for (const { id } of old) {
      await tx.removeClient(id)
      await record(tx, 'client_deleted', { kind: 'client', id })
    }
    if (unused.length - old.length >= MAX_UNUSED)
      throw new MemoryError(
        'LIMIT_EXCEEDED',
        `${MAX_UNUSED} clients are registered that no user has let in; try again later`,
      )
  }

  /** When the last grant of each client ends. */
  async function endsByClient(tx: AccountTx): Promise<Map<string, number>> {
    const ends = new Map<string, number>()
    for (const grant of await tx.grants())
      ends.set(grant.clientId, Math.max(ends.get(grant.clientId) ?? 0, stoppedAt(grant)))
    return ends
  }

  /** Gives a client to the first user who asks. */
  function bind(id: string, userId: string): Promise<OAuthClient> {
    return store.write(async (tx) => {
      const client = await tx.client(id)
      if (!client) throw new MemoryError('NOT_FOUND', 'Unknown or deleted client')
      if (client.userId !== null && client.userId !== userId) throw notItsUser()
      const bound = { ...client, userId }
      if (client.userId === null) await tx.putClient(bound)
      return bound
    })
  }

  function list(): Promise<ClientEntry[]> {
    return store.read(async (tx) => {
      const counts = new Map<string, number>()
      for (const grant of await tx.grants())
        if (isLive(grant, now())) counts.set(grant.clientId, (counts.get(grant.clientId) ?? 0) + 1)
      return (await tx.clients()).map((client) => ({ ...client, grants: counts.get(client.id) ?? 0 }))
    })
  }

  /** Revokes all its grants. One that is known by a metadata document has nothing else. False: nothing is known of it. */
  function remove(id: string, by?: WriteCaller): Promise<boolean> {
    return store.write(async (tx) => {
      const revoked = await revokeGrants(tx, await tx.grants({ clientId: id }), { now: now(), record, by })
      if (!(await tx.client(id))) return revoked > 0
      await tx.removeClient(id)
      await record(tx, 'client_deleted', { kind: 'client', id }, by)
      return true
    })
  }

  return {
    find: (id: string): Promise<OAuthClient | undefined> => store.read((tx) => tx.client(id)),
    register,
    bind,
    list,
    remove,
  }
}
