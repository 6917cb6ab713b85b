import type { ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Accounts } from '../../core/accounts/accounts.ts'
import type { ServerSecret } from '../../core/accounts/model.ts'
import type { AppRoute } from '../../http/app.ts'
import type { NativeHandler } from '../../http/native.ts'
import { customerOf } from '../../http/networks.ts'
import { MESSAGES } from '../../http/pages/message.ts'
import { reasonFields } from '../../mcp/model/errors.ts'
import type { Log } from '../../util/log.ts'
import { type Attempts, createAttempts } from '../signin/attempts.ts'
import type { Browsers } from '../signin/browser.ts'
import { showMessage, showTooMany } from '../signin/messages.ts'
import type { SignInPurpose } from '../signin/sign-in.ts'
import { newKey, newSigningKey } from '../spaces/server-keys.ts'
import { askingClient } from './asking.ts'
import { createBridge } from './bridge.ts'
import { consentRoutes } from './consent.ts'
import { type FetchDocument, fetchDocument as fetchPublic } from './fetch-document.ts'
import { createFetchLimits } from './fetch-limits.ts'
import { createRequests } from './interaction.ts'
import { consentPath, OAUTH_PATHS } from './paths.ts'
import { createProvider } from './provider.ts'
import type { Resources } from './resources.ts'
import { serverMetadata } from './server-metadata.ts'
import { createWaiting } from './waiting.ts'

export interface OAuthParts {
  accounts: Accounts
  browsers: Browsers
  resources: Resources
  publicUrl: () => string
  /** Whether clients may be known by the URL of a metadata document, which the server gets from the web. */
  fetchesDocuments: boolean
  /** Default: over HTTPS, from public addresses only. */
  fetchDocument?: FetchDocument
  now: () => number
  log: Log
}

const HOUR_MS = 3_600_000
/** Of one address. The same public client is registered once, however often it asks. */
const MAX_REGISTRATIONS_AN_HOUR = 60
/** From one address: each may wait for a person, and takes memory. */
const MAX_REQUESTS_A_MINUTE = 60

export type OAuthServer = ReturnType<typeof createOAuthServer>

/** Lets clients ask users for access, and gives them tokens. */
export function createOAuthServer(parts: OAuthParts) {
  const { accounts, browsers, resources, publicUrl, now, log, fetchesDocuments } = parts
  const waiting = createWaiting(now)
  const checkFetch = createFetchLimits(accounts, now)
  const authorizations = createAttempts({ max: MAX_REQUESTS_A_MINUTE, windowMs: 60_000, now })
  const registrations = createAttempts({ max: MAX_REGISTRATIONS_AN_HOUR, windowMs: HOUR_MS, now })
  let keys = ''
  let current: Promise<Provider> | undefined

  /** Made when it is needed: only a server that listens knows its URL. */
  function provider(): Promise<Provider> {
    current ??= make()
    return current
  }

  async function make(): Promise<Provider> {
    const { signingKeys, cookieKeys } = await readKeys()
    keys = JSON.stringify([signingKeys, cookieKeys])
    const made = createProvider({
      ...{
        accounts,
        resources,
        publicUrl: publicUrl(),
        signingKeys,
        cookieKeys,
        now,
        showError,
        checkFetch,
        waiting,
        fetchesDocuments,
      },
      fetchDocument: parts.fetchDocument ?? fetchPublic,
    })
    made.on('server_error', (_ctx, error) => log.error('oauth: request failed', reasonFields(error)))
    return made
  }

  async function readKeys() {
    const signing = await accounts.secrets.signing(newSigningKey)
    const cookies = await accounts.secrets.cookies(newKey)
    return { signingKeys: signing.map(textOf), cookieKeys: cookies.map(textOf) }
  }

  /** Keys may have been rotated. All else that a provider knows is kept elsewhere: the next one goes on where this one was. */
  async function useCurrentKeys(): Promise<void> {
    if (!current) return
    const { signingKeys, cookieKeys } = await readKeys()
    if (JSON.stringify([signingKeys, cookieKeys]) !== keys) current = undefined
  }

  const requests = createRequests(provider, resources)
  const bridge = createBridge(provider, publicUrl)

  /** Answers so many requests of one address. */
  const limited =
    (
      attempts: Attempts,
      refuse: (outgoing: ServerResponse, seconds: number) => Promise<void>,
    ): NativeHandler =>
    async (incoming, outgoing, connection) => {
      const customer = customerOf(connection.address)
      const seconds = attempts.wait(customer)
      if (seconds !== undefined) return refuse(outgoing, seconds)
      attempts.add(customer)
      await bridge(incoming, outgoing, connection)
    }

  const describe = (): Response => Response.json(serverMetadata(publicUrl(), { fetchesDocuments }))
  const routes: AppRoute[] = [
    {
      path: '/.well-known/oauth-authorization-server',
      cors: 'any',
      methods: { GET: describe, HEAD: describe },
    },
    { path: OAUTH_PATHS.authorization, native: limited(authorizations, tooManyRequests) },
    { path: `${OAUTH_PATHS.authorization}/:id`, native: bridge },
    { path: OAUTH_PATHS.token, cors: 'any', native: bridge },
    { path: OAUTH_PATHS.revocation, cors: 'any', native: bridge },
    { path: OAUTH_PATHS.registration, cors: 'any', native: limited(registrations, tooManyRegistrations) },
    ...consentRoutes({ accounts, browsers, requests, now }),
  ]

  return {
    routes,
    useCurrentKeys,
    /** The client that a person signs in for, by the page that follows. */
    async purpose(next: string): Promise<SignInPurpose | undefined> {
      const id = next.startsWith(consentPath('')) ? next.slice(consentPath('').length) : undefined
      const asked = id === undefined ? undefined : await requests.find(id)
      return asked && { client: askingClient(asked), redirectUri: asked.redirectUri }
    },
  }
}

function textOf({ value }: ServerSecret): string {
  return value
}

/** Where a client's request is so wrong that the browser cannot be sent back to it. */
async function showError(ctx: KoaContextWithOIDC, error: Error): Promise<void> {
  const { error_description: description = error.message } = error as { error_description?: string }
  const isUnreachable = description === 'client_id metadata document fetch failed'
  const page = showMessage({
    ...(isUnreachable ? MESSAGES.noDocument : MESSAGES.badRequest),
    status: ctx.status,
    ...(isUnreachable ? {} : { text: `The client sent a request that cannot be answered: ${description}.` }),
  })
  for (const [name, value] of page.headers) ctx.set(name, value)
  ctx.body = await page.text()
}

async function tooManyRegistrations(outgoing: ServerResponse, seconds: number): Promise<void> {
  const body = {
    error: 'temporarily_unavailable',
    error_description: `too many clients were registered from this address; retry after ${seconds} s`,
  }
  outgoing.writeHead(429, { 'content-type': 'application/json', 'retry-after': String(seconds) })
  outgoing.end(JSON.stringify(body))
}

async function tooManyRequests(outgoing: ServerResponse, seconds: number): Promise<void> {
  const page = showTooMany(seconds)
  outgoing.writeHead(page.status, Object.fromEntries(page.headers))
  outgoing.end(await page.text())
}
