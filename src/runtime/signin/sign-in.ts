import type { Accounts } from '../../core/accounts/accounts.ts'
import { isMemoryError } from '../../core/errors.ts'
import type { AppHandler, AppRoute } from '../../http/app.ts'
import type { AskingClient } from '../../http/pages/asking-client.ts'
import { type LoginModel, loginPage } from '../../http/pages/login.ts'
import { MESSAGES } from '../../http/pages/message.ts'
import { KEEPS_OPENER, pageResponse } from '../../http/pages/page-response.ts'
import { PAGE_PATHS } from '../../http/pages/paths.ts'
import type { Browsers } from './browser.ts'
import { createLoginLimits, type Outcome } from './login-limits.ts'
import { showMessage, showTooMany } from './messages.ts'

export interface SignInParts {
  accounts: Accounts
  browsers: Browsers
  /** What a sign-in is for, by the path that follows it. */
  purpose: (next: string) => Promise<SignInPurpose | undefined>
  /** Unix milliseconds. */
  now: () => number
}

export interface SignInPurpose {
  client: AskingClient
  /** Where the browser may be sent in the end. */
  redirectUri: string
}

const WRONG = 'The name or the password is wrong.'

/** Signing in by password, and out. */
export function signInRoutes({ accounts, browsers, purpose, now }: SignInParts): AppRoute[] {
  const begin = createLoginLimits(now)

  const show = async (
    request: Request,
    model: Pick<LoginModel, 'next' | 'error' | 'user'>,
    status = 200,
  ): Promise<Response> => {
    const { cookie, headers } = browsers.visitor(request)
    const asked = await purpose(model.next)
    const csrf = await browsers.forms.token(cookie)
    const page = loginPage({ ...model, action: PAGE_PATHS.login, csrf, client: asked?.client })
    const formAction = asked ? [asked.redirectUri] : []
    return withHeaders(pageResponse(page, { status, formAction, headers: KEEPS_OPENER }), headers)
  }

  const open: AppHandler = async (request) => {
    const { searchParams } = new URL(request.url)
    const next = localPath(searchParams.get('next'))
    const isDone = !searchParams.has('again') && (await browsers.signedIn(request)) !== undefined
    return isDone ? redirect(next) : show(request, { next })
  }

  const signIn: AppHandler = async (request, { address }) => {
    const fields = await browsers.forms.read(request, browsers.visitor(request).cookie)
    if (!fields) return showMessage(MESSAGES.forbidden)
    const [name, password, next] = [
      fields.get('name') ?? '',
      fields.get('password') ?? '',
      localPath(fields.get('next')),
    ]
    const attempt = begin(name, address)
    if ('retryAfter' in attempt) return showTooMany(attempt.retryAfter)
    let outcome: Outcome = 'unchecked'
    try {
      const user = await accounts.passwords.check(name, password, address)
      outcome = user ? 'right' : 'wrong'
      return user
        ? redirect(next, await browsers.signIn(request, user, address))
        : await show(request, { next, user: name, error: WRONG }, 401)
    } catch (error) {
      if (isMemoryError(error) && error.code === 'LIMIT_EXCEEDED') return showTooMany(1)
      throw error
    } finally {
      attempt.end(outcome)
    }
  }

  const signOut: AppHandler = async (request) => {
    const signedIn = await browsers.signedIn(request)
    if (!signedIn) return showMessage(MESSAGES.signedOut)
    const fields = await browsers.forms.read(request, signedIn.cookie)
    if (!fields) return showMessage(MESSAGES.forbidden)
    const headers = await browsers.signOut(signedIn)
    const next = fields.get('next')
    return next === null ? showMessage(MESSAGES.signedOut, headers) : redirect(localPath(next), headers)
  }

  return [
    { path: PAGE_PATHS.login, methods: { GET: open, POST: signIn } },
    { path: PAGE_PATHS.logout, methods: { POST: signOut } },
  ]
}

/** Where a person goes on: a page of ours, and nothing else. */
export function localPath(given: string | null): string {
  const isOurs = given !== null && /^\/auth\/[\w/-]*$/.test(given)
  return isOurs ? given : PAGE_PATHS.clients
}

export function redirect(path: string, headers: readonly [string, string][] = []): Response {
  return withHeaders(new Response(null, { status: 303, headers: { location: path } }), headers)
}

export function withHeaders(response: Response, headers: readonly [string, string][]): Response {
  for (const [name, value] of headers) response.headers.append(name, value)
  return response
}
