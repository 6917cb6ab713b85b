import type { Accounts } from '../../core/accounts/accounts.ts'
import type { GrantEntry } from '../../core/accounts/grants.ts'
import type { User } from '../../core/accounts/model.ts'
import type { AppHandler, AppRoute } from '../../http/app.ts'
import { clientsPage } from '../../http/pages/clients.ts'
import { MESSAGES } from '../../http/pages/message.ts'
import { pageResponse } from '../../http/pages/page-response.ts'
import { PAGE_PATHS } from '../../http/pages/paths.ts'
import type { Browsers, SignedIn } from './browser.ts'
import { showMessage } from './messages.ts'
import { redirect } from './sign-in.ts'

export interface ConnectedParts {
  accounts: Accounts
  browsers: Browsers
  /** What a person types into a client, for a space. */
  endpointUrl: (space?: string) => string
}

/** The page with the clients that a user connected. */
export function connectedRoutes({ accounts, browsers, endpointUrl }: ConnectedParts): AppRoute[] {
  async function show(
    { user, cookie }: SignedIn,
    model: { message?: string; error?: string } = {},
  ): Promise<Response> {
    const [csrf, grants, hosts, spaces] = await Promise.all([
      browsers.forms.token(cookie),
      grantsFor(user),
      accounts.clients.hosts(),
      accounts.members.spacesOf(user.id),
    ])
    const page = clientsPage({
      csrf,
      user: user.name,
      isAdmin: user.isAdmin,
      grants: grants.map((grant) => ({
        ...grant,
        client: { host: hosts(grant.clientId), name: grant.clientName },
      })),
      url: endpointUrl(spaces[0]?.name),
      ...model,
    })
    return pageResponse(page)
  }

  /** An administrator sees those of everybody. */
  function grantsFor({ name, isAdmin }: User): Promise<GrantEntry[]> {
    return accounts.grants.list(isAdmin ? {} : { user: name })
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
    const grants = await grantsFor(user)
    // Another's grant is as one that there is not.
    const grant = grants.find(({ id }) => id === fields.get('grant'))
    if (!grant) return show(signedIn, { error: 'There is no such client.' })
    await accounts.grants.revoke(grant.id, { userId: user.id, principalId: '', address })
    return show(signedIn, { message: 'The client is disconnected.' })
  }

  return [{ path: PAGE_PATHS.clients, methods: { GET: open, POST: revoke } }]
}
