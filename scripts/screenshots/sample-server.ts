import { createHash } from 'node:crypto'
import { readCertificate } from '../../src/http/certificate.ts'
import { makeCertificate } from '../../test/support/certificates.ts'
import { addPerson, startPeople } from '../../test/support/people.ts'

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

  async function connect(
    client: ClientName,
    space: string,
    { days, ends }: { days: number; ends: number | null },
  ) {
    now = NOW - days * DAY_MS
    const { id: clientId, name: clientName } = CLIENTS[client]
    const userId = (await accounts.users.list()).find((user) => user.name === 'ada')?.id ?? ''
    const spaceId = (await accounts.spaces.find(space))?.id ?? ''
    const expiresAt = ends === null ? null : now + ends * DAY_MS
    const scopes =
      space === 'team' ? (['memories:read', 'memories:write'] as const) : (['memories:read'] as const)
    await accounts.grants.give({ userId, clientId, clientName, spaceId, scopes, expiresAt })
    now = NOW
  }
  await connect('claudeCode', 'team', { days: 17, ends: 90 })
  await connect('chatgpt', 'research', { days: 90, ends: null })
  await connect('cursor', 'research', { days: 1, ends: 30 })

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
