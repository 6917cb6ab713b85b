import { join } from 'node:path'
import { openAccounts } from '../../src/runtime/spaces/accounts.ts'
import { createSpace } from '../../src/runtime/spaces/create-space.ts'
import { programOf, type Started, startServer } from '../serve/http.ts'

const SPACE = 'red'

export type Auth = 'off' | 'keys'

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

/** Calls count, and so does what is stored, but nothing is refused. */
const UNLIMITED = {
  REMINDB_RATE_PER_MINUTE: '1000000000',
  REMINDB_RATE_PER_DAY: '1000000000',
  REMINDB_QUOTA_MEMORIES: '1000000000',
}

/** `remindb serve --spaces`, with the URL of its space. */
export async function serveTeam(dir: string, auth: Auth): Promise<Started> {
  const args = ['serve', '--spaces', dir, '--auth', auth, '--listen', '127.0.0.1:0', '--tools', 'all']
  const started = await startServer([programOf('this'), ...args], 1, UNLIMITED)
  return { ...started, url: started.url.replace('{space}', SPACE) }
}
