import { timingSafeEqual } from 'node:crypto'
import Provider, {
  type ClientAuthMethod,
  type Configuration,
  errors,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import type { Accounts } from '../../core/accounts/accounts.ts'
import { sha256 } from '../../util/text/sha256.ts'
import { createAdapter } from './adapter.ts'
import { clientIdOf } from './client-id.ts'
import { usableDocument, usableMetadata } from './client-metadata.ts'
import type { FetchDocument } from './fetch-document.ts'
import { CLIENT_AUTH_METHODS, consentPath, GRANT_TYPES, OAUTH_PATHS, OAUTH_SCOPES } from './paths.ts'
import { checkRedirects } from './redirects.ts'
import type { Resources } from './resources.ts'
import type { Waiting } from './waiting.ts'

export interface ProviderParts {
  accounts: Accounts
  resources: Resources
  waiting: Waiting
  publicUrl: string
  /** JSON web keys, newest first. */
  signingKeys: readonly string[]
  /** Newest first. */
  cookieKeys: readonly string[]
  /** Whether clients may be known by the URL of such a document. */
  fetchesDocuments: boolean
  /** Gets the metadata document of a client, and never anything from a private network. */
  fetchDocument: FetchDocument
  /** Throws where no other document may be fetched now. */
  checkFetch: (url: string) => Promise<void>
  /** What a person sees where the request of a client cannot be answered by sending them back to it. */
  showError: (ctx: KoaContextWithOIDC, error: Error) => Promise<void>
  now: () => number
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The library, set up for clients of MCP: see docs/explanation/design-notes.md. */
export function createProvider(parts: ProviderParts): Provider {
  const provider = new Provider(parts.publicUrl, configurationOf(parts))
  // Its URLs are built from `forwarded` headers, which the bridge sets: see `bridge.ts`.
  provider.proxy = true
  // A secret is stored as its hash.
  provider.Client.prototype.compareClientSecret = async function (given: string) {
    return isEqual(String(this.clientSecret), sha256(given))
  }
  return provider
}

function configurationOf(parts: ProviderParts): Configuration {
  const { accounts, resources, publicUrl } = parts
  const cookies = {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
  } as const
  return {
    adapter: createAdapter(parts),
    jwks: { keys: parts.signingKeys.map((key) => JSON.parse(key)) },
    routes: { ...OAUTH_PATHS, jwks: '/oauth/jwks' },
    cookies: {
      keys: [...parts.cookieKeys],
      names: { interaction: 'remindb_request', resume: 'remindb_resume', session: 'remindb_provider' },
      long: cookies,
      short: cookies,
    },
    scopes: [],
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: [...CLIENT_AUTH_METHODS] as ClientAuthMethod[],
    // Loopback redirects with any port, and schemes of programs: what desktop clients need.
    clientDefaults: {
      application_type: 'native',
      grant_types: [...GRANT_TYPES],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: MINUTE,
      RefreshToken: 30 * DAY,
      Interaction: 15 * MINUTE,
      Session: MINUTE,
      Grant: 30 * DAY,
    },
    rotateRefreshToken: true,
    // No cookie counts at these endpoints: a web page has nothing there that another client would not have.
    clientBasedCORS: () => true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    findAccount: async (_ctx, id) => {
      const user = await accounts.users.get(id)
      return user?.disabledAt === null ? { accountId: id, claims: async () => ({ sub: id }) } : undefined
    },
    loadExistingGrant: (ctx) => agreedGrant(ctx),
    interactions: { url: (_ctx, { uid }) => consentPath(uid) },
    features: featuresOf(parts),
    fetch: async (url, options) =>
      usableDocument(await parts.fetchDocument(String(url), options?.signal ?? undefined)),
    // Nothing depends on it, so nothing is fetched for it.
    sectorIdentifierUriValidate: () => false,
    renderError: (ctx, _out, error) => parts.showError(ctx, error),
  }

  /** What the user agreed to on the consent page, for this request. */
  async function agreedGrant(ctx: KoaContextWithOIDC) {
    const id = ctx.oidc.result?.consent?.grantId
    if (id === undefined) return undefined
    const grant = await ctx.oidc.provider.Grant.find(id)
    // Not asked for again: the user has just decided.
    for (const resource of resources.asked(ctx.oidc.params?.resource))
      grant?.rejectResourceScope(resource, refusedScopes(ctx, grant.getResourceScope(resource)))
    return grant
  }
}

/** Takes as long for any two hashes. */
function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

function refusedScopes(ctx: KoaContextWithOIDC, granted: string): string {
  const given = granted.split(' ')
  return [...ctx.oidc.requestParamScopes].filter((scope) => !given.includes(scope)).join(' ')
}

function featuresOf({ resources, checkFetch, fetchesDocuments }: ProviderParts): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    introspection: { enabled: false },
    revocation: {
      enabled: true,
      allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
    },
    registration: {
      enabled: true,
      issueRegistrationAccessToken: false,
      // Called before the provider looks at what it is given.
      idFactory: (ctx) => {
        const metadata = usableMetadata(ctx.oidc.body ?? {})
        Object.assign(ctx.oidc, { body: metadata })
        return clientIdOf(metadata)
      },
    },
    clientIdMetadataDocument: {
      enabled: fetchesDocuments,
      ack: 'draft-02',
      allowFetch: async (_ctx, url) => {
        await checkFetch(url)
        return true
      },
      allowClient: async (_ctx, client) => {
        checkRedirects(client.redirectUris)
        return true
      },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => resources.standard(),
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_ctx, resource) => {
        if (!resources.parse(resource)) throw new errors.InvalidTarget('this server has no such endpoint')
        return { scope: OAUTH_SCOPES.join(' '), audience: resource, accessTokenFormat: 'opaque' }
      },
    },
  }
}
