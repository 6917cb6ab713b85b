import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { Revision } from './mcp.ts'
import type { Agreed } from './oauth-client.ts'
import { openPerson, type People } from './people.ts'

const REDIRECT = 'http://localhost:58135/callback'

/** What a program that uses the official SDK keeps for itself. */
export interface Keeping {
  client?: StoredOAuthClientInformation | undefined
  tokens?: StoredOAuthTokens | undefined
  discovery?: OAuthDiscoveryState | undefined
  verifier: string
  /** Where the browser was sent to, in order. */
  asked: URL[]
}

function providerOver(kept: Keeping, document: string | undefined): OAuthClientProvider {
  return {
    redirectUrl: REDIRECT,
    ...(document !== undefined && { clientMetadataUrl: document }),
    clientMetadata: { client_name: 'A program with the SDK', redirect_uris: [REDIRECT] },
    state: () => 'state',
    clientInformation: () => kept.client,
    saveClientInformation(client) {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens(tokens) {
      kept.tokens = tokens
    },
    redirectToAuthorization: (url) => void kept.asked.push(url),
    saveCodeVerifier(verifier) {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier,
    saveDiscoveryState(discovery) {
      kept.discovery = discovery
    },
    discoveryState: () => kept.discovery,
    invalidateCredentials(scope) {
      if (scope !== 'verifier') kept.tokens = undefined
      if (scope === 'all' || scope === 'client') kept.client = undefined
    },
  }
}

export interface SdkOptions {
  revision: Revision
  path?: string
  /** The URL of its metadata document. Default: it registers itself. */
  document?: string
}

/** The official client, for a person who answers when it asks. */
export function sdkClient(
  server: Pick<People, 'url'>,
  { revision, path = '/s/team/mcp', document }: SdkOptions,
) {
  const kept: Keeping = { verifier: '', asked: [] }
  const authProvider = providerOver(kept, document)
  const person = openPerson(server.url)
  const newTransport = () =>
    new StreamableHTTPClientTransport(new URL(`${server.url}${path}`), { authProvider })
  let transport = newTransport()

  function newClient(): Client {
    const mode = revision === '2026-07-28' ? { versionNegotiation: { mode: { pin: revision } } } : {}
    const client = new Client({ name: 'sdk', version: '1' }, mode)
    onTestFinished(() => client.close())
    return client
  }

  /** The browser that the client opened comes back to it. */
  async function answer(agreed: Agreed = {}): Promise<void> {
    const asked = kept.asked.at(-1)
    if (!asked) throw new Error('the client did not ask')
    const back = await person.agree(asked.href, agreed)
    await transport.finishAuth(back.searchParams)
  }

  return {
    kept,
    person,
    answer,
    transport: () => transport,
    /** Asks the person once if it has to. */
    async connect(agreed: Agreed = {}): Promise<Client> {
      const client = newClient()
      transport = newTransport()
      try {
        await client.connect(transport)
        return client
      } catch (error) {
        if (!(error instanceof UnauthorizedError)) throw error
        await answer(agreed)
        return this.connect(agreed)
      }
    },
  }
}
