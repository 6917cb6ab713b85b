import type { NewGrant } from '../../src/core/accounts/grants.ts'
import type { Grant } from '../../src/core/accounts/model.ts'
import { filledAccounts } from './test-accounts.ts'

export const AUDIENCE = 'https://memory.example/s/red/mcp'
export const CLIENT = 'https://agent.example/client.json'
const HOUR = 3_600_000

/** `filledAccounts`, with Bob as a reader of red, and ways to let a client in and to give it a token. */
export async function grantedAccounts() {
  const made = await filledAccounts()
  const { accounts, clock } = made
  await accounts.members.add({ user: 'bob', space: 'red', role: 'reader' })

  async function give({
    user = 'ada',
    space = 'red',
    ...given
  }: Partial<NewGrant> & { user?: string; space?: string } = {}): Promise<Grant> {
    const { id: userId } = await accounts.users.find(user)
    const spaceId = (await accounts.spaces.find(space))?.id ?? ''
    const scopes = ['memories:read', 'memories:write'] as const
    const client = { clientId: CLIENT, clientName: 'Agent' }
    return accounts.grants.give({ userId, spaceId, ...client, scopes, expiresAt: null, ...given })
  }

  async function issue(
    grant: Grant,
    token: string,
    { scope = 'memories:read memories:write', aud = AUDIENCE, kind = 'AccessToken' } = {},
  ): Promise<void> {
    const payload = JSON.stringify({ aud, scope })
    await accounts.records.put({ kind, id: token, grantId: grant.id, payload, expiresAt: clock.now + HOUR })
  }

  const kindOf = async (token: string) => (await accounts.authenticate(token, AUDIENCE)).kind

  return { ...made, give, issue, kindOf }
}
