import { expect, test } from 'vitest'
import { ask, type ClientShape, callTool, discover, tokensIn } from '../support/oauth-client.ts'
import { addPerson, openPeople, openPerson } from '../support/people.ts'

const SCOPES = 'memories:read memories:write'
const GRANT_TYPES = ['authorization_code', 'refresh_token']
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'

/** A client that has a metadata document. */
function withDocument(document: string, redirectUris: string[], fields: Record<string, unknown> = {}) {
  return {
    [document]: {
      client_id: document,
      redirect_uris: redirectUris,
      grant_types: GRANT_TYPES,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...fields,
    },
  }
}

/** Everything a client does, from the URL that a person gave it until it is disconnected. */
async function usesMemory(
  { namesResourceAgain = false, ...shape }: ClientShape & { namesResourceAgain?: boolean },
  documents: Record<string, unknown> = {},
) {
  const server = await openPeople({ documents })
  await addPerson(server)
  const client = await discover(server, shape)
  expect(client.status).toBe(401)
  expect(client.challenge).toContain(`scope="${SCOPES}"`)
  expect(client.resource).toMatchObject({
    resource: `${server.url}/s/team/mcp`,
    authorization_servers: [server.url],
    scopes_supported: SCOPES.split(' '),
  })
  expect(client.server).toMatchObject({ issuer: server.url, code_challenge_methods_supported: ['S256'] })

  const { href, verifier } = client.request()
  const back = await openPerson(server.url).agree(href)
  expect(back.href.slice(0, shape.redirectUri.length)).toBe(shape.redirectUri)
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: 'xyz', iss: server.url })
  const tokens = await tokensIn(await client.exchange(back, verifier))
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: SCOPES })
  const { result } = await callTool(client.endpoint, tokens.access_token, 'remember', {
    key: 'deploys',
    value: 'Never on a Friday.',
  })
  expect(result.isError).toBeFalsy()

  // Without a scope.
  const again: Record<string, string> = namesResourceAgain ? { resource: client.resource.resource } : {}
  const refreshed = await tokensIn(await client.refresh(tokens.refresh_token, again))
  expect(refreshed.scope).toBe(SCOPES)
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
  expect((await ask(client.endpoint, refreshed.access_token)).status).toBe(200)

  expect((await client.revoke(refreshed.refresh_token)).status).toBe(200)
  expect((await client.refresh(refreshed.refresh_token)).status).toBe(400)
  expect((await ask(client.endpoint, refreshed.access_token)).status).toBe(401)
  return client
}

test.each(['http://localhost:58135/callback', 'http://127.0.0.1:49200/callback'])(
  'Claude Code connects by its metadata document, at the port of %s that it does not name',
  async (redirectUri) => {
    const document = 'https://claude.ai/oauth/claude-code-client-metadata'
    const redirectUris = ['http://localhost/callback', 'http://127.0.0.1/callback']
    await usesMemory(
      { document, redirectUri, authorization: () => ({ scope: SCOPES }) },
      withDocument(document, redirectUris, { client_name: 'Claude Code', client_uri: 'https://claude.ai' }),
    )
  },
)

test('claude.ai connects by its metadata document, asking for consent and offline access', async () => {
  const document = 'https://claude.ai/oauth/mcp-oauth-client-metadata'
  const redirectUri = 'https://claude.ai/api/mcp/auth_callback'
  const redirectUris = [redirectUri, 'https://claude.com/api/mcp/auth_callback']
  const { server } = await usesMemory(
    {
      document,
      redirectUri,
      authorization: () => ({ prompt: 'consent', scope: `${SCOPES} offline_access` }),
    },
    withDocument(document, redirectUris, { client_name: 'Claude', client_uri: 'https://claude.ai' }),
  )
  // Without both it registers itself.
  expect(server.client_id_metadata_document_supported).toBe(true)
  expect(server.token_endpoint_auth_methods_supported).toContain('none')
})

test.each(['http://127.0.0.1:33418/', 'http://127.0.0.1:51234/', 'https://vscode.dev/redirect'])(
  'VS Code connects by its metadata document with %s',
  async (redirectUri) => {
    const document = 'https://vscode.dev/oauth/client-metadata.json'
    const redirectUris = [
      ...['http://127.0.0.1:33418/', 'http://127.0.0.1/'],
      ...['https://vscode.dev/redirect', 'https://insiders.vscode.dev/redirect'],
    ]
    const { server } = await usesMemory(
      {
        document,
        redirectUri,
        authorization: ({ resource }) => ({ scope: resource.scopes_supported.join(' ') }),
      },
      withDocument(document, redirectUris, {
        client_name: 'Visual Studio Code',
        application_type: 'native',
        grant_types: [...GRANT_TYPES, DEVICE_CODE],
      }),
    )
    // It would ask for a device code where there are some.
    expect(server.grant_types_supported).toEqual(GRANT_TYPES)
    expect(server).not.toHaveProperty('device_authorization_endpoint')
  },
)

test('VS Code registers itself where it is told to', async () => {
  await usesMemory({
    redirectUri: 'http://127.0.0.1:33418/',
    registration: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: [...GRANT_TYPES, DEVICE_CODE],
      response_types: ['code'],
      redirect_uris: [
        ...['https://insiders.vscode.dev/redirect', 'https://vscode.dev/redirect'],
        ...['http://127.0.0.1/', 'http://127.0.0.1:33418/'],
      ],
      scope: SCOPES,
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
  })
})

test.each([
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback',
  'http://localhost:8787/callback',
])('Cursor registers three redirects at once and uses %s', async (redirectUri) => {
  await usesMemory({
    redirectUri,
    registration: {
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      grant_types: GRANT_TYPES,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  })
})

test('Codex registers without a scope, then asks for the scopes of the authorization server', async () => {
  await usesMemory({
    redirectUri: 'http://127.0.0.1:37819/callback/7Hd0pQ',
    registration: {
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1:37819/callback/7Hd0pQ'],
      grant_types: GRANT_TYPES,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    authorization: ({ server }) => ({ scope: server.scopes_supported.join(' ') }),
  })
})

test('a client that registers fewer scopes than it asks for gets what its user agrees to', async () => {
  await usesMemory({
    redirectUri: 'http://127.0.0.1:37819/callback',
    registration: {
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1:37819/callback'],
      scope: 'openid memories:read',
      token_endpoint_auth_method: 'none',
    },
    authorization: () => ({ scope: SCOPES }),
  })
})

test('ChatGPT connects by its metadata document, which prefers another way to authenticate', async () => {
  const document = 'https://chatgpt.com/oauth/IbUR3zxyNQ16/client.json'
  const redirectUri = 'https://chatgpt.com/connector/oauth/IbUR3zxyNQ16'
  await usesMemory(
    { document, redirectUri, authorization: () => ({ scope: SCOPES }) },
    withDocument(document, [redirectUri], {
      client_name: 'ChatGPT',
      client_uri: 'https://chatgpt.com/',
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    }),
  )
})

test('Gemini CLI registers with the port of the moment and names the resource when it refreshes', async () => {
  const redirectUri = 'http://localhost:41733/oauth/callback'
  await usesMemory({
    redirectUri,
    namesResourceAgain: true,
    registration: {
      client_name: 'Gemini CLI MCP Client',
      redirect_uris: [redirectUri],
      grant_types: GRANT_TYPES,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      code_challenge_method: ['S256'],
      scope: '',
    },
    authorization: ({ resource }) => ({ scope: resource.scopes_supported.join(' ') }),
  })
})

test('Copilot CLI registers without a scope, with its application type', async () => {
  await usesMemory({
    redirectUri: 'http://127.0.0.1:60021/',
    registration: {
      client_name: 'GitHub Copilot CLI',
      redirect_uris: ['http://127.0.0.1:56679/'],
      grant_types: GRANT_TYPES,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
  })
})
