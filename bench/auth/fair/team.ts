import { join } from 'node:path'
import { openAccounts } from '../../../src/runtime/spaces/accounts.ts'
import { createSpace } from '../../../src/runtime/spaces/create-space.ts'
import { programOf, type Started, startServer } from '../../serve/http.ts'

export const SPACES = { same: 'red', other: 'blue' }
const UNLIMITED = 'unlimited'

/** A folder of two spaces. All ordinary clients use the first; abusers have keys for both. */
export interface FairTeam {
  dir: string
  ordinary: string[]
  /** Without a rate limit, and with that of the ordinary clients. */
  unlimited: Record<keyof typeof SPACES, string>
  limited: Record<keyof typeof SPACES, string>
}

export async function createFairTeam(work: string, memory: string, clients: number): Promise<FairTeam> {
  const dir = join(work, 'fair')
  const accounts = await openAccounts(dir, { create: true })
  const keyOf = async (user: string, space: string): Promise<string> =>
    (await accounts.keys.create({ user, space, scopes: ['memories:write'] })).key
  try {
    for (const name of Object.values(SPACES)) await createSpace({ dir, accounts }, { name, from: memory })
    const ordinary: string[] = []
    for (let at = 0; at < clients; at++) {
      await accounts.users.create({ name: `ordinary-${at}` })
      ordinary.push(await keyOf(`ordinary-${at}`, SPACES.same))
    }
    const abuser = async (user: string) => {
      await accounts.users.create({ name: user })
      return { same: await keyOf(user, SPACES.same), other: await keyOf(user, SPACES.other) }
    }
    return { dir, ordinary, unlimited: await abuser(UNLIMITED), limited: await abuser('limited') }
  } finally {
    await accounts.close()
  }
}

/** Ordinary clients are not limited: they may ask twice as often as they do. The URL has `{space}` in it. */
export function serveFairly({ dir }: FairTeam, { rate }: { rate: number }): Promise<Started> {
  const args = ['serve', '--spaces', dir, '--auth', 'keys', '--listen', '127.0.0.1:0', '--tools', 'all']
  return startServer([programOf('this'), ...args], 1, {
    REMINDB_RATE_PER_MINUTE: String(2 * 60 * rate),
    REMINDB_RATE_PER_DAY: 'none',
    REMINDB_RATE_EXEMPT_USERS: UNLIMITED,
    REMINDB_QUOTA_MEMORIES: 'none',
    REMINDB_QUOTA_BYTES: 'none',
  })
}
