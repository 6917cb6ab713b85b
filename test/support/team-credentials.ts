import { SCOPES, type Scope } from '../../src/core/access/scopes.ts'
import { createToken } from '../../src/core/accounts/token.ts'
import { openAccounts } from '../../src/runtime/spaces/accounts.ts'
import { keyFor, type Team, WRITER } from './team.ts'
import { bearer } from './team-requests.ts'

export type TeamKeys = Awaited<ReturnType<typeof makeKeys>>

/** Of clients in every situation, all of them for `red` where nothing else is said. */
export async function makeKeys(at: Team) {
  const { accounts } = at
  const key = async (user: string, scopes = WRITER, space = 'red') =>
    (await keyFor(at, { user, scopes, space })).key
  const past = await openAccounts(at.dir, { now: () => 1000 })
  const made = {
    admin: await key('ada', ['memories:admin']),
    writer: await key('bob', ['memories:write']),
    reader: await key('cyd', ['memories:read']),
    blue: await key('dan', ['memories:admin'], 'blue'),
    lowered: await key('eve', ['memories:admin']),
    disabled: await key('fay', ['memories:admin']),
    removed: await key('gus', ['memories:admin']),
    archived: await key('hal', ['memories:admin'], 'attic'),
    expired: (await past.keys.create({ user: 'ada', space: 'red', scopes: SCOPES, expiresAt: 2000 })).key,
    unknown: createToken('Unknown1', (count) => new Uint8Array(count)),
  }
  const revoked = await keyFor(at, { user: 'ada', scopes: ['memories:admin'] })
  await accounts.keys.revoke(revoked.id)
  await accounts.members.add({ user: 'eve', space: 'red', role: 'reader' })
  await accounts.users.disable('fay')
  await accounts.members.remove({ user: 'gus', space: 'red' })
  await accounts.spaces.archive('attic')
  await past.close()
  return { ...made, revoked: revoked.key }
}

/** How a request says who sends it, and what it is refused with. */
export interface Refused {
  headers?: Record<string, string>
  query?: string
  meta?: Record<string, string>
  text: string
}

export const MISSING = 'Unauthorized: Missing Authorization header'
const MALFORMED = "Unauthorized: Authorization header must be 'Bearer <token>'"
const UNKNOWN = 'Unauthorized: API key not found'
const REVOKED = 'Unauthorized: API key has been revoked or has expired'

/** By name: with the keys that were made. */
export const REFUSED: Record<string, (keys: TeamKeys) => Refused> = {
  'no token': () => ({ text: MISSING }),
  'a token in the query': (keys) => ({
    query: `?access_token=${keys.admin}&token=${keys.admin}&authorization=Bearer%20${keys.admin}`,
    text: MISSING,
  }),
  'a token in _meta': (keys) => ({
    meta: { Authorization: `Bearer ${keys.admin}`, authorization: `Bearer ${keys.admin}` },
    text: MISSING,
  }),
  'a token in other headers': (keys) => ({
    headers: { cookie: `token=${keys.admin}`, 'x-api-key': keys.admin, 'proxy-authorization': keys.admin },
    text: MISSING,
  }),
  'an empty header': () => ({ headers: { authorization: '' }, text: MALFORMED }),
  'an empty token': () => ({ headers: { authorization: 'Bearer ' }, text: MALFORMED }),
  'a token without a scheme': (keys) => ({ headers: { authorization: keys.admin }, text: MALFORMED }),
  'two tokens': (keys) => ({ headers: bearer(`${keys.reader}, Bearer ${keys.admin}`), text: MALFORMED }),
  'another scheme': (keys) => ({ headers: { authorization: `Basic ${keys.admin}` }, text: MALFORMED }),
  'a text that is no key': () => ({ headers: bearer('undefined'), text: UNKNOWN }),
  'a key that never was': (keys) => ({ headers: bearer(keys.unknown), text: UNKNOWN }),
  'another secret of a key': (keys) => ({ headers: bearer(otherSecret(keys.admin)), text: UNKNOWN }),
  'an expired key': (keys) => ({ headers: bearer(keys.expired), text: REVOKED }),
  'a revoked key': (keys) => ({ headers: bearer(keys.revoked), text: REVOKED }),
  'a key of a disabled user': (keys) => ({ headers: bearer(keys.disabled), text: REVOKED }),
  'a key of an archived space': (keys) => ({ headers: bearer(keys.archived), text: REVOKED }),
  'a key of a removed member': (keys) => ({ headers: bearer(keys.removed), text: REVOKED }),
}

/** With the id and a checksum as they should be. */
function otherSecret(key: string): string {
  return createToken(key.slice('rmdb_pat_'.length).slice(0, 8), (count) => new Uint8Array(count))
}

export interface Granted {
  key: string
  /** What it comes to. */
  scope: Scope
}

export const GRANTED: Record<string, (keys: TeamKeys) => Granted> = {
  'the scope to read': (keys) => ({ key: keys.reader, scope: 'memories:read' }),
  'the scope to write': (keys) => ({ key: keys.writer, scope: 'memories:write' }),
  'a key to administer and the role of a reader': (keys) => ({ key: keys.lowered, scope: 'memories:read' }),
  'the scope to administer': (keys) => ({ key: keys.admin, scope: 'memories:admin' }),
}
