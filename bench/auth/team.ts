import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openAccounts } from '../../src/runtime/spaces/accounts.ts'
import { createSpace } from '../../src/runtime/spaces/create-space.ts'
import { programOf, type Started, startServer } from '../serve/http.ts'

const SPACE = 'red'

export type Auth = 'off' | 'keys' | 'accounts'

export interface TeamFolder {
  dir: string
  /** A key for its space, and one that was made with a key that was made with a key … */
  key: string
  deepKey: string
}

/** How many keys are above `deepKey`: as many as there can be. */
export const PARENTS = 8

/** A folder of spaces with one space, a copy of this memory, and keys for it. */
export async function createTeamFolder(work: string, memory: string): Promise<TeamFolder> {
  const dir = join(work, 'team')
  const accounts = await openAccounts(dir, { create: true })
  try {
    await createSpace({ dir, accounts }, { name: SPACE, from: memory })
    await accounts.users.create({ name: 'bench' })
    const scopes = ['memories:write'] as const
    const first = await accounts.keys.create({ user: 'bench', space: SPACE, scopes })
    let deep = first
    for (let at = 0; at < PARENTS; at++) deep = await accounts.keys.createChild(deep.id, { scopes })
    return { dir, key: first.key, deepKey: deep.key }
  } finally {
    await accounts.close()
  }
}

/** An access token for the endpoint at this URL, as a client gets one after a user agreed. */
export async function issueToken(dir: string, url: string): Promise<string> {
  const accounts = await openAccounts(dir)
  try {
    const user = await accounts.users.find('bench')
    const [space] = await accounts.members.spacesOf(user.id)
    if (!space) throw new Error('the user is in no space')
    const scopes = ['memories:read', 'memories:write'] as const
    const names = { clientId: 'https://client.example/bench', clientName: 'bench' }
    const grant = await accounts.grants.give({
      ...{ userId: user.id, spaceId: space.id, scopes, ...names, expiresAt: null },
    })
    const token = randomBytes(32).toString('base64url')
    const payload = JSON.stringify({ aud: url, scope: scopes.join(' '), grantId: grant.id })
    const expiresAt = Date.now() + 3_600_000
    await accounts.records.put({ kind: 'AccessToken', id: token, grantId: grant.id, payload, expiresAt })
    return token
  } finally {
    await accounts.close()
  }
}

/** Calls count, and so does what is stored, but nothing is refused. */
const UNLIMITED = {
  REMINDB_RATE_PER_MINUTE: '1000000000',
  REMINDB_RATE_PER_DAY: '1000000000',
  REMINDB_QUOTA_MEMORIES: '1000000000',
}

/** `remindb serve --spaces`, with the URL of its space. */
export async function serveTeam(dir: string, auth: Auth, env: Record<string, string> = {}): Promise<Started> {
  const args = ['serve', '--spaces', dir, '--auth', auth, '--listen', '127.0.0.1:0', '--tools', 'all']
  const started = await startServer([programOf('this'), ...args], 1, { ...UNLIMITED, ...env })
  return { ...started, url: started.url.replace('{space}', SPACE) }
}
