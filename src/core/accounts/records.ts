import type { WriteCaller } from '../access/principal.ts'
import { MemoryError } from '../errors.ts'
import { recordAccount } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import type { Expired } from './expired.ts'
import { isExpired, isLive } from './live.ts'
import type { Grant, OAuthRecord } from './model.ts'
import { ACCESS_TOKEN, type AccountTx } from './port.ts'

export interface NewRecord {
  kind: string
  /** The secret itself: only its hash is stored. It must not be in the payload. */
  id: string
  grantId?: string | null
  uid?: string | null
  /** In JSON. */
  payload: string
  expiresAt: number | null
}

/** Without its id, which is known only to who asked. */
export type FoundRecord = Omit<OAuthRecord, 'id'>

const TOKENS = [ACCESS_TOKEN, 'RefreshToken']

/** What the authorization server remembers. */
export function createRecords(deps: AccountDeps, expired: Expired) {
  const { store, now, sha256 } = deps
  const audit = recordAccount(deps)

  /** Stores a record, in place of the one with the same id; one that was consumed stays consumed. `address`: for the audit. */
  async function put(given: NewRecord, address = ''): Promise<void> {
    const { kind, grantId = null, uid = null, payload, expiresAt } = given
    const id = sha256(given.id)
    await store.write(async (tx) => {
      await expired.remove(tx)
      const grant = grantId === null ? undefined : await liveGrant(tx, grantId)
      const old = await tx.record(kind, { id })
      await tx.putRecord({ kind, id, grantId, uid, payload, expiresAt, consumedAt: old?.consumedAt ?? null })
      if (kind === ACCESS_TOKEN && grant && !old)
        await audit(tx, 'token_issued', { kind: 'grant', id: grant.id }, callerOf(grant, address))
    })
  }

  /** A grant that was revoked meanwhile gets no more tokens: they would work when it is given again. */
  async function liveGrant(tx: AccountTx, id: string): Promise<Grant> {
    const grant = await tx.grant(id)
    if (grant && isLive(grant, now())) return grant
    throw new MemoryError('FORBIDDEN', 'the access of this client was revoked or has expired')
  }

  /** Undefined: there is none, or it expired. */
  async function find(kind: string, by: { id: string } | { uid: string }): Promise<FoundRecord | undefined> {
    const stored = 'id' in by ? { id: sha256(by.id) } : by
    const record = await store.read((tx) => tx.record(kind, stored))
    if (!record || isExpired(record, now())) return undefined
    const { id: _, ...found } = record
    return found
  }

  /** True for exactly one caller. */
  function consume(kind: string, id: string): Promise<boolean> {
    return store.write(async (tx) => {
      const record = await tx.record(kind, { id: sha256(id) })
      if (!record || record.consumedAt !== null || isExpired(record, now())) return false
      await tx.putRecord({ ...record, consumedAt: now() })
      return true
    })
  }

  async function remove(kind: string, given: string, address = ''): Promise<void> {
    const id = sha256(given)
    await store.write(async (tx) => {
      const record = await tx.record(kind, { id })
      if (!record) return
      await tx.removeRecords({ kind, id })
      const grant = record.grantId === null ? undefined : await tx.grant(record.grantId)
      if (grant && TOKENS.includes(kind))
        await audit(tx, 'token_revoked', { kind: 'grant', id: grant.id }, callerOf(grant, address))
    })
  }

  return {
    put,
    find,
    consume,
    remove,
    /** All tokens and codes of a grant. */
    removeOfGrant: (grantId: string): Promise<void> => store.write((tx) => tx.removeRecords({ grantId })),
  }
}

/** A client that acts for the user of its grant. */
function callerOf({ id, userId }: Grant, address: string): WriteCaller {
  return { userId, principalId: id, address }
}
