import type { Accounts } from '../../core/accounts/accounts.ts'
import type { AppRoute } from '../../http/app.ts'
import { endpointPath } from '../../http/endpoint-path.ts'
import { reasonFields } from '../../mcp/model/errors.ts'
import type { Log } from '../../util/log.ts'
import { createBrowsers } from '../signin/browser.ts'
import { connectedRoutes } from '../signin/connected.ts'
import { setUpRoutes } from '../signin/set-up.ts'
import { signInRoutes } from '../signin/sign-in.ts'
import type { FetchDocument } from './fetch-document.ts'
import { createOAuthServer } from './oauth-server.ts'
import { createResources } from './resources.ts'

export interface AccountRoutesParts {
  accounts: Accounts
  publicUrl: () => string
  /** See `OAuthParts`. Default: they may. */
  fetchesDocuments?: boolean
  /** Default: over HTTPS, from public addresses only. */
  fetchDocument?: FetchDocument | undefined
  /** The first administrator was made. */
  onSetUp?: () => void
  /** Unix milliseconds. */
  now: () => number
  log: Log
}

/** Everything that a server with accounts answers besides MCP: the pages for people, and OAuth for clients. */
export function openAccountRoutes(parts: AccountRoutesParts) {
  const { accounts, publicUrl, now, log, fetchDocument, fetchesDocuments = true } = parts
  const browsers = createBrowsers({ accounts, publicUrl })
  const resources = createResources(publicUrl)
  const oauth = createOAuthServer({
    ...{ accounts, browsers, resources, publicUrl, now, log },
    fetchesDocuments,
    ...(fetchDocument ? { fetchDocument } : {}),
  })
  const stopWatching = accounts.watch(() => {
    oauth.useCurrentKeys().catch((error) => log.error('oauth: keys cannot be read', reasonFields(error)))
  })
  const endpointUrl = (space: string): string => `${publicUrl()}${endpointPath(space)}`
  const routes: AppRoute[] = [
    ...oauth.routes,
    ...signInRoutes({ accounts, browsers, purpose: oauth.purpose, now }),
    ...setUpRoutes({ accounts, browsers, onCompleted: parts.onSetUp ?? (() => undefined), now }),
    ...connectedRoutes({ accounts, browsers, endpointUrl }),
  ]
  return { routes, close: stopWatching }
}
