import { createHash } from 'node:crypto'
import type { Scope } from '../../src/core/access/scopes.ts'
import type { Grant } from '../../src/core/accounts/model.ts'
import { readCertificate } from '../../src/http/certificate.ts'
import { makeCertificate } from '../../test/support/certificates.ts'
import { addPerson, type People, startPeople } from '../../test/support/people.ts'

export const PUBLIC_URL = 'https://memory.example.org'
const NOW = Date.UTC(2026, 10, 20, 9, 30)
const DAY_MS = 86_400_000

/** With the URL of its metadata document; one without has registered itself. */
const CLIENTS = {
  claude: {
    id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    name: 'Claude',
    redirectUri: 'https://claude.ai/api/mcp/auth_callback',
  },
  claudeCode: {
    id: 'https://claude.ai/oauth/claude-code-client-metadata',
    name: 'Claude Code',
    redirectUri: 'http://localhost:58135/callback',
  },
  chatgpt: {
    id: 'https://chatgpt.com/oauth/client-metadata',
    name: 'ChatGPT',
    redirectUri: 'https://chatgpt.com/connector_platform_oauth_redirect',
  },
  cursor: {
    id: 'client_cursor',
    name: 'Cursor',
    redirectUri: 'cursor://anysphere.cursor-mcp/oauth/callback',
  },
} as const
type ClientName = keyof typeof CLIENTS

export type SampleServer = Awaited<ReturnType<typeof openSampleServer>>

/** A server with accounts, over HTTPS, at a time that does not change: every run makes the same pictures. */
export async function openSampleServer(dir: string) {
  const certificate = await readCertificate(makeCertificate(dir), Date.now())
  let now = NOW
  // The library for OAuth asks the clock of the process.
  Date.now = () => now
  const documents = Object.fromEntries(
    Object.values(CLIENTS).map((client) => [client.id, metadataOf(client)]),
  )
  const server = await startPeople(dir, {
    ...{ spaces: ['team', 'research', 'notes'], documents, publicUrl: PUBLIC_URL, certificate },
  })
  const { accounts } = server
  await accounts.setup.begin()
  await addPerson(server, { name: 'ada', space: 'team' })
  await addPerson(server, { name: 'ada', space: 'research', role: 'reader' })
  await addPerson(server, { name: 'bob', space: 'notes' })
  const { id, name } = CLIENTS.cursor
  await accounts.clients.register({ id, name, metadata: JSON.stringify(metadataOf(CLIENTS.cursor)) })

  /** All in days before or after now. */
  async function connect(
    client: ClientName,
    { space, since, used, ends }: { space: string; since: number; used?: number; ends: number | null },
  ): Promise<void> {
    const { id: clientId, name: clientName } = CLIENTS[client]
    const { id: userId } = await accounts.users.find('ada')
    const spaceId = (await accounts.spaces.find(space))?.id ?? ''
    const scopes: Scope[] = space === 'team' ? ['memories:read', 'memories:write'] : ['memories:read']
    now = NOW - since * DAY_MS
    const expiresAt = ends === null ? null : NOW + ends * DAY_MS
    const grant = await accounts.grants.give({ userId, clientId, clientName, spaceId, scopes, expiresAt })
    if (used !== undefined) {
      now = NOW - used * DAY_MS
      await useGrant(server, grant)
    }
    now = NOW
  }
  await connect('claudeCode', { space: 'team', since: 17, used: 0, ends: 73 })
  await connect('chatgpt', { space: 'research', since: 90, used: 4, ends: null })
  await connect('cursor', { space: 'research', since: 1, ends: 29 })

  return {
    ...server,
    /** What a client opens in a browser to ask for access. */
    authorization(client: ClientName, path = '/s/team/mcp'): string {
      const { id: client_id, redirectUri: redirect_uri } = CLIENTS[client]
      const query = new URLSearchParams({
        ...{ response_type: 'code', client_id, redirect_uri, resource: `${PUBLIC_URL}${path}` },
        code_challenge: createHash('sha256').update('a verifier').digest('base64url'),
        code_challenge_method: 'S256',
      })
      return `${PUBLIC_URL}/oauth/authorize?${query}`
    },
  }
}

function metadataOf({ id, name, redirectUri }: (typeof CLIENTS)[ClientName]) {
  return {
    ...{ client_id: id, client_name: name, redirect_uris: [redirectUri] },
    token_endpoint_auth_method: 'none',
  }
}

/** As its client does with a token. */
async function useGrant({ accounts }: People, { id: grantId }: Grant): Promise<void> {
  const payload = JSON.stringify({ aud: PUBLIC_URL, scope: 'memories:read' })
  const expiresAt = Date.now() + DAY_MS
  await accounts.records.put({ kind: 'AccessToken', id: grantId, grantId, payload, expiresAt })
  await accounts.authenticate(grantId, PUBLIC_URL)
  await accounts.flush()
}
