import { coversScope, ROLES, type Scope } from '../../core/access/scopes.ts'
import type { Accounts } from '../../core/accounts/accounts.ts'
import type { Grant } from '../../core/accounts/model.ts'
import { isMemoryError } from '../../core/errors.ts'
import type { AppHandler, AppRoute } from '../../http/app.ts'
import { type ConsentModel, consentPage, EXPIRIES } from '../../http/pages/consent.ts'
import { MESSAGES } from '../../http/pages/message.ts'
import { KEEPS_OPENER, pageResponse } from '../../http/pages/page-response.ts'
import { PAGE_PATHS } from '../../http/pages/paths.ts'
import { redirectTarget } from '../../http/pages/redirect-target.ts'
import { DAY_MS } from '../../util/text/duration.ts'
import type { Browsers, SignedIn } from '../signin/browser.ts'
import { showMessage } from '../signin/messages.ts'
import { redirect } from '../signin/sign-in.ts'
import { askingClient } from './asking.ts'
import type { AccessRequest, OwnRequest, Requests } from './interaction.ts'
import { consentPath } from './paths.ts'

export interface ConsentParts {
  requests: Requests
  accounts: Accounts
  browsers: Browsers
  now: () => number
}

/** A space that the client can be let into, and the part of what it asks for that the user has there. */
interface Choice {
  id: string
  name: string
  scopes: Scope[]
  isReadOnly: boolean
}

/** What is on the page. `fields`: what the user chose before, and must choose again. */
interface Shown {
  id: string
  choices: readonly Choice[]
  error?: string
  fields?: URLSearchParams
}

const SCOPE_TEXTS: Partial<Record<Scope, { label: string; description: string }>> = {
  'memories:read': {
    label: 'Read',
    description: 'Search and read everything that is remembered in the space.',
  },
  'memories:write': {
    label: 'Write',
    description: 'Remember new things, and change or remove what is there.',
  },
}

/** The page on which a user decides what a client may do, and in which space. */
export function consentRoutes({ accounts, browsers, requests, now }: ConsentParts): AppRoute[] {
  const open: AppHandler = (request, _connection, { id = '' }) =>
    withRequest(request, id, async (asked, signedIn) => {
      const choices = await choicesOf(asked, signedIn)
      const known = asked.mustAsk ? undefined : await agreedBefore(asked, signedIn, choices)
      return known ? letIn(asked, signedIn, known) : show(asked, signedIn, { id, choices })
    })

  const decide: AppHandler = (request, { address }, { id = '' }) =>
    withRequest(request, id, async (asked, signedIn) => {
      const fields = await browsers.forms.read(request, signedIn.cookie)
      if (!fields) return showMessage(MESSAGES.forbidden)
      if (fields.get('decision') !== 'allow')
        return redirect(
          await asked.finish({ error: 'access_denied', error_description: 'the user denied access' }),
        )
      const choices = await choicesOf(asked, signedIn)
      const space = choices.find(({ name }) => name === (asked.resource.space ?? fields.get('space')))
      const scopes = space?.scopes.filter((scope) => fields.getAll('scope').includes(scope)) ?? []
      if (!space || scopes.length === 0) {
        const error = space ? 'Choose what the client may do, or deny access.' : 'Choose a space.'
        return show(asked, signedIn, { id, choices, error, fields })
      }
      const { user } = signedIn
      const grant = await accounts.grants.give({
        ...{ userId: user.id, clientId: asked.client.id, clientName: asked.client.name },
        ...{ spaceId: space.id, scopes, expiresAt: expiryOf(fields.get('expires'), now()) },
        by: { userId: user.id, principalId: '', address },
      })
      return letIn(asked, signedIn, grant)
    })

  /** What the browser was sent here for, and who is signed in in it. */
  async function withRequest(
    request: Request,
    id: string,
    handle: (asked: OwnRequest, signedIn: SignedIn) => Promise<Response>,
  ): Promise<Response> {
    const asked = await requests.ofBrowser(request, id)
    if (!asked) return showMessage(MESSAGES.expired)
    const signedIn = await browsers.signedIn(request)
    if (!signedIn || signedIn.login.createdAt < (asked.loginAfter ?? 0))
      return redirect(`${PAGE_PATHS.login}?next=${consentPath(id)}${signedIn ? '&again' : ''}`)
    try {
      if (asked.client.isConfidential) await accounts.clients.bind(asked.client.id, signedIn.user.id)
      return await handle(asked, signedIn)
    } catch (error) {
      if (!isMemoryError(error) || error.code !== 'FORBIDDEN') throw error
      return showMessage({
        ...MESSAGES.forbidden,
        text: error.message,
        hint: 'Sign out to sign in as its user, or register the client again.',
        account: await accountOf(signedIn, id),
      })
    }
  }

  /** With a way to be somebody else, and to come back here. */
  async function accountOf({ user, cookie }: SignedIn, id: string) {
    return { user: user.name, csrf: await browsers.forms.token(cookie), next: consentPath(id) }
  }

  async function choicesOf({ resource, scopes }: AccessRequest, { user }: SignedIn): Promise<Choice[]> {
    const spaces = await accounts.members.spacesOf(user.id)
    return spaces
      .filter(({ name, archivedAt }) => archivedAt === null && (resource.space ?? name) === name)
      .map(({ id, name, role }) => {
        const offered = scopes.filter((scope) => coversScope([ROLES[role]], scope))
        return { id, name, scopes: offered, isReadOnly: offered.length < scopes.length }
      })
      .filter((choice) => choice.scopes.length > 0)
  }

  /** The grant that makes asking again needless: it has all that the user could agree to now. */
  async function agreedBefore(
    { client }: AccessRequest,
    { user }: SignedIn,
    choices: readonly Choice[],
  ): Promise<Grant | undefined> {
    const [only, another] = choices
    if (!only || another) return undefined
    const grant = await accounts.grants.find({ userId: user.id, clientId: client.id, spaceId: only.id })
    return grant && only.scopes.every((scope) => coversScope(grant.scopes, scope)) ? grant : undefined
  }

  async function letIn(asked: OwnRequest, { user }: SignedIn, grant: Grant): Promise<Response> {
    return redirect(
      await asked.finish({ login: { accountId: user.id, remember: false }, consent: { grantId: grant.id } }),
    )
  }

  async function show(
    asked: AccessRequest,
    signedIn: SignedIn,
    { id, choices, error, fields }: Shown,
  ): Promise<Response> {
    const { resource, redirectUri } = asked
    const account = await accountOf(signedIn, id)
    if (choices.length === 0) return showMessage({ ...noSpace(resource.space), account })
    const model: ConsentModel = {
      ...account,
      action: consentPath(id),
      client: askingClient(asked),
      redirect: redirectTarget(redirectUri),
      space: resource.space,
      spaces: choices,
      chosenSpace: fields?.get('space') ?? undefined,
      scopes: scopesToOffer(choices, fields?.getAll('scope')),
      expires: fields?.get('expires') ?? undefined,
      error,
    }
    return pageResponse(consentPage(model), {
      headers: KEEPS_OPENER,
      formAction: [redirectUri],
      status: error === undefined ? 200 : 400,
    })
  }

  return [{ path: consentPath(':id'), methods: { GET: open, POST: decide } }]
}

/** All are chosen at first. */
function scopesToOffer(choices: readonly Choice[], chosen?: readonly string[]): ConsentModel['scopes'] {
  const offered = new Set(choices.flatMap(({ scopes }) => scopes))
  return [...offered].flatMap((scope) => {
    const texts = SCOPE_TEXTS[scope]
    return texts ? [{ value: scope, ...texts, isSelected: chosen?.includes(scope) ?? true }] : []
  })
}

function expiryOf(chosen: string | null, now: number): number | null {
  const { days } = EXPIRIES.find(({ value }) => value === chosen) ?? EXPIRIES[0]
  return days === null ? null : now + days * DAY_MS
}

/** The same whether or not there is such a space. */
function noSpace(space: string | undefined) {
  return {
    status: 403,
    title: 'No space to give access to',
    text:
      space === undefined
        ? 'You are not a member of any space.'
        : `There is no space “${space}” that you are a member of.`,
    hint: 'Ask the person who runs this server to add you, then connect again. Or sign out to sign in as somebody else.',
  }
}
