import { onTestFinished } from 'vitest'
import { openAccounts } from '../../src/runtime/spaces/accounts.ts'
import { createSpace } from '../../src/runtime/spaces/create-space.ts'
import { temporaryFolder } from './engine.ts'
import { connectRaw, type EraName, type RawClient } from './raw-client.ts'
import { serve } from './serving.ts'

/** A folder of spaces with a space `red`, and its accounts, as another process than the server has them. */
export async function createTeamFolder() {
  const dir = temporaryFolder()
  const accounts = await openAccounts(dir, { create: true })
  onTestFinished(accounts.close)
  await createSpace({ dir, accounts }, { name: 'red' })
  return { dir, accounts }
}

/** `remindb serve --spaces` as a user starts it, where every client needs a key. */
export async function serveTeam(dir: string, env: Record<string, string> = {}) {
  const args = ['--spaces', dir, '--auth', 'keys', '--listen', '127.0.0.1:0']
  const { url, kill } = await serve({ cwd: dir, args, env })
  const { origin } = new URL(url)
  const connect = (key: string, era: EraName = '2026-07-28'): Promise<RawClient> =>
    connectRaw(
      { fetch: (request) => fetch(request) },
      { key, era, name: 'test-client', path: '/s/red/mcp', origin },
    )
  return {
    /** With SIGKILL. */
    kill,
    connect,
    /** What a call with this key is answered with. */
    async statusOf(key: string): Promise<number> {
      return (await (await connect(key)).ask('tools/call', { name: 'ping', arguments: {} })).status
    },
  }
}

export type ServedTeam = Awaited<ReturnType<typeof serveTeam>>
