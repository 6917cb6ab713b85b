import type { Accounts } from '../../core/accounts/accounts.ts'
import type { GrantEntry } from '../../core/accounts/grants.ts'
import type { AppHandler, AppRoute } from '../../http/app.ts'
import { type ClientsModel, clientsPage, type ShownGrant } from '../../http/pages/clients.ts'
import { MESSAGES } from '../../http/pages/message.ts'
import { pageResponse } from '../../http/pages/page-response.ts'
import { PAGE_PATHS } from '../../http/pages/paths.ts'
import type { Browsers, SignedIn } from './browser.ts'
import { clientHosts } from './client-hosts.ts'
import { showMessage } from './messages.ts'
import { redirect } from './sign-in.ts'

export interface ConnectedParts {
  accounts: Accounts
  browsers: Browsers
  /** What a person types into a client, for a space. */
  endpointUrl: (space: string) => string
}

/** The page with the clients that a user connected. */
export function connectedRoutes({ accounts, browsers, endpointUrl }: ConnectedParts): AppRoute[] {
  async function show(
    { user, cookie }: SignedIn,
    model: Pick<ClientsModel, 'revoked' | 'error'> = {},
  ): Promise<Response> {
    const [csrf, grants, spaces] = await Promise.all([
      browsers.forms.token(cookie),
      accounts.grants.list({ user: user.name }),
      accounts.members.spacesOf(user.id),
    ])
    const page = clientsPage({
      csrf,
      user: user.name,
      grants: await Promise.all(grants.toSorted(lastUsedFirst).map(shown)),
      urls: spaces.filter(({ archivedAt }) => archivedAt === null).map(({ name }) => endpointUrl(name)),
      ...model,
    })
    return pageResponse(page)
  }

  async function shown({ clientId, clientName, scopes, ...grant }: GrantEntry): Promise<ShownGrant> {
    const host = (await clientHosts(accounts, clientId)).join(', ')
    return {
      ...grant,
      client: { host, name: clientName },
      scopes: scopes.map((scope) => scope.replace('memories:', '')),
    }
  }

  const open: AppHandler = async (request) => {
    const signedIn = await browsers.signedIn(request)
    return signedIn ? show(signedIn) : redirect(PAGE_PATHS.login)
  }

  const revoke: AppHandler = async (request, { address }) => {
    const signedIn = await browsers.signedIn(request)
    if (!signedIn) return redirect(PAGE_PATHS.login)
    const fields = await browsers.forms.read(request, signedIn.cookie)
    if (!fields) return showMessage(MESSAGES.forbidden)
    const { user } = signedIn
    const grants = await accounts.grants.list({ user: user.name })
    // Another's grant is as one that there is not.
    const grant = grants.find(({ id }) => id === fields.get('grant'))
    if (!grant) return show(signedIn, { error: 'There is no such client.' })
    await accounts.grants.revoke(grant.id, { userId: user.id, principalId: '', address })
    return show(signedIn, { revoked: { client: grant.clientName, space: grant.space } })
  }

  return [{ path: PAGE_PATHS.clients, methods: { GET: open, POST: revoke } }]
}

function lastUsedFirst(a: GrantEntry, b: GrantEntry): number {
  return (b.lastUsedAt ?? b.createdAt) - (a.lastUsedAt ?? a.createdAt)
}
