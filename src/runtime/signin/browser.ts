import { randomBytes } from 'node:crypto'
import type { Accounts } from '../../core/accounts/accounts.ts'
import type { Login, User } from '../../core/accounts/model.ts'
import { newKey } from '../spaces/server-keys.ts'
import { cookieHeader, readCookie } from './cookies.ts'
import { createForms } from './forms.ts'

const LOGIN_COOKIE = 'remindb_login'
/** Of a browser in which nobody is signed in: forms are bound to it. */
const VISITOR_COOKIE = 'remindb_visitor'

export interface SignedIn {
  user: User
  login: Login
  /** Of the login: forms are bound to it. */
  cookie: string
}

export interface BrowsersParts {
  accounts: Accounts
  publicUrl: () => string
}

export type Browsers = ReturnType<typeof createBrowsers>

/** Browsers, and who is signed in in them. */
export function createBrowsers({ accounts, publicUrl }: BrowsersParts) {
  const forms = createForms(async () => (await accounts.secrets.cookies(newKey)).map(({ value }) => value))
  const isSecure = (): boolean => publicUrl().startsWith('https:')

  async function signedIn(request: Request): Promise<SignedIn | undefined> {
    const cookie = readCookie(request, LOGIN_COOKIE, isSecure())
    const found = cookie === undefined ? undefined : await accounts.logins.find(cookie)
    return found && cookie !== undefined ? { ...found, cookie } : undefined
  }

  return {
    signedIn,
    forms,
    /**
     * Signs a user in. Returns the headers that do so: always with a new cookie, so that nobody knows it beforehand. Who was signed in
     * in this browser is signed out.
     */
    async signIn(request: Request, user: User, address: string): Promise<[string, string][]> {
      const before = readCookie(request, LOGIN_COOKIE, isSecure())
      if (before !== undefined) await accounts.logins.end(before)
      const { cookie, login } = await accounts.logins.create(user.id, address)
      const maxAgeS = Math.floor((login.expiresAt - login.createdAt) / 1000)
      return [['set-cookie', cookieHeader(LOGIN_COOKIE, cookie, { isSecure: isSecure(), maxAgeS })]]
    },
    async signOut({ cookie }: SignedIn): Promise<[string, string][]> {
      await accounts.logins.end(cookie)
      return [['set-cookie', cookieHeader(LOGIN_COOKIE, '', { isSecure: isSecure(), maxAgeS: 0 })]]
    },
    /** The cookie of a browser in which nobody is signed in; `headers` set it where it has none. */
    visitor(request: Request): { cookie: string; headers: [string, string][] } {
      const known = readCookie(request, VISITOR_COOKIE, isSecure())
      if (known !== undefined && /^[\w-]{22,}$/.test(known)) return { cookie: known, headers: [] }
      const cookie = randomBytes(16).toString('base64url')
      return {
        cookie,
        headers: [['set-cookie', cookieHeader(VISITOR_COOKIE, cookie, { isSecure: isSecure() })]],
      }
    },
  }
}
