import type { Accounts } from '../../core/accounts/accounts.ts'
import { isUserName } from '../../core/accounts/names.ts'
import { isMemoryError, type MemoryError } from '../../core/errors.ts'
import type { AppHandler, AppRoute } from '../../http/app.ts'
import { customerOf } from '../../http/networks.ts'
import { MESSAGES } from '../../http/pages/message.ts'
import { pageResponse, scriptResponse } from '../../http/pages/page-response.ts'
import { PAGE_PATHS } from '../../http/pages/paths.ts'
import {
  SETUP_SCRIPT,
  type SetupField,
  type SetupModel,
  setupCode,
  setupPage,
} from '../../http/pages/setup.ts'
import { createAttempts } from './attempts.ts'
import type { Browsers } from './browser.ts'
import { showMessage, showTooMany } from './messages.ts'
import { redirect, withHeaders } from './sign-in.ts'

export interface SetUpParts {
  accounts: Accounts
  browsers: Browsers
  /** There is an administrator now. */
  onCompleted: () => void
  now: () => number
}

const MAX_ATTEMPTS = 20
const WINDOW_MS = 60_000

/** The page on which the first administrator is made, by the person who has the link that the server printed. */
export function setUpRoutes({ accounts, browsers, onCompleted, now }: SetUpParts): AppRoute[] {
  const attempts = createAttempts({ max: MAX_ATTEMPTS, windowMs: WINDOW_MS, now })

  async function show(
    request: Request,
    model: Pick<SetupModel, 'error' | 'token' | 'user'> = {},
    status = 200,
  ): Promise<Response> {
    const { cookie, headers } = browsers.visitor(request)
    const csrf = await browsers.forms.token(cookie)
    return withHeaders(
      pageResponse(setupPage({ ...model, action: PAGE_PATHS.setup, csrf }), { status }),
      headers,
    )
  }

  const open: AppHandler = async (request) =>
    (await accounts.setup.isWaiting()) ? show(request) : showMessage(MESSAGES.setupDone)

  const complete: AppHandler = async (request, { address }) => {
    const customer = customerOf(address)
    const seconds = attempts.wait(customer)
    if (seconds !== undefined) return showTooMany(seconds)
    attempts.add(customer)
    const fields = await browsers.forms.read(request, browsers.visitor(request).cookie)
    if (!fields) return showMessage(MESSAGES.forbidden)
    if (!(await accounts.setup.isWaiting())) return showMessage(MESSAGES.setupDone)
    const [token, name, password] = [
      setupCode(fields.get('code') ?? ''),
      fields.get('name') ?? '',
      fields.get('password') ?? '',
    ]
    const refuse = (field: SetupField, text: string) =>
      show(request, { token, user: name, error: { field, text } }, 400)
    if (password !== fields.get('repeat')) return refuse('password', 'The two passwords are not the same.')
    try {
      const user = await accounts.setup.complete(token, { name, password }, address)
      onCompleted()
      return redirect(PAGE_PATHS.clients, await browsers.signIn(request, user, address))
    } catch (error) {
      if (!isMemoryError(error)) throw error
      if (error.code === 'LIMIT_EXCEEDED') return showTooMany(1)
      // Somebody else was faster.
      if (!(await accounts.setup.isWaiting())) return showMessage(MESSAGES.setupDone)
      return refuse(fieldOf(error, name), sentence(error.message))
    }
  }

  const script: AppHandler = () => scriptResponse(SETUP_SCRIPT)
  return [
    { path: PAGE_PATHS.setup, methods: { GET: open, POST: complete } },
    { path: PAGE_PATHS.setupScript, methods: { GET: script } },
  ]
}

/** What a mistake is about. */
function fieldOf({ code }: MemoryError, name: string): SetupField {
  if (code === 'NOT_FOUND') return 'code'
  return code === 'CONFLICT' || !isUserName(name) ? 'name' : 'password'
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
