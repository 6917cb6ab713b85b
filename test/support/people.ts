import { createHash, randomBytes } from 'node:crypto'
import { Parser } from 'htmlparser2'
import { onTestFinished } from 'vitest'
import type { Role } from '../../src/core/access/scopes.ts'
import { createApp } from '../../src/http/app.ts'
import type { Certificate } from '../../src/http/certificate.ts'
import { createGuard } from '../../src/http/guard.ts'
import { openHttpServer } from '../../src/http/server.ts'
import { openAccountRoutes } from '../../src/runtime/oauth/account-routes.ts'
import type { FetchDocument } from '../../src/runtime/oauth/fetch-document.ts'
import { openAccounts } from '../../src/runtime/spaces/accounts.ts'
import { createSpace } from '../../src/runtime/spaces/create-space.ts'
import { createRateLimits } from '../../src/runtime/team/rate-limits.ts'
import { createSpaceServers } from '../../src/runtime/team/space-servers.ts'
import { createTeamServer } from '../../src/runtime/team/team-server.ts'
import { temporaryFolder } from './engine.ts'
import { recordingLog } from './recording-log.ts'

export interface PeopleOptions {
  spaces?: readonly string[]
  /** Unix milliseconds. */
  now?: () => number
  /** The metadata documents that clients have, by URL. */
  documents?: Record<string, unknown>
  fetchDocument?: FetchDocument
  /** What people and clients call the server. Default: where it listens. */
  publicUrl?: string
  /** In place of the slow hash of passwords. */
  scrypt?: (password: string, salt: Uint8Array) => Promise<Uint8Array>
  /** Default: any that is free. */
  port?: number
  /** Serve HTTPS with this. */
  certificate?: Certificate
}

export const PASSWORD = 'correct horse battery staple'

/** A server with accounts on a socket of its own. */
export async function openPeople(options: PeopleOptions = {}) {
  const server = await startPeople(temporaryFolder(), options)
  onTestFinished(server.close)
  return server
}

/** The same, for whoever closes it. */
export async function startPeople(dir: string, options: PeopleOptions = {}) {
  const { spaces: names = ['team'], now = Date.now, documents = {}, port = 0 } = options
  const accounts = await openAccounts(dir, {
    ...{ create: true, now },
    ...(options.scrypt && { scrypt: options.scrypt }),
  })
  for (const name of names) await createSpace({ dir, accounts }, { name })
  const { log, records } = recordingLog()
  const settings = {
    'store.synchronous': 'normal',
    'server.tools': 'all',
    'server.transport': 'http',
    'server.logging.level': 'error',
  }
  const spaces = createSpaceServers({
    ...{ dir, settings, idleMs: 60_000, maxOpen: 100, isAudited: true, log },
    now: () => performance.now(),
  })
  let url = ''
  const publicUrl = (): string => options.publicUrl ?? url
  const fetchDocument: FetchDocument =
    options.fetchDocument ??
    (async (asked) =>
      asked in documents ? Response.json(documents[asked]) : new Response('not found', { status: 404 }))
  const people = openAccountRoutes({ accounts, publicUrl, fetchDocument, now, log })
  const rates = createRateLimits({ perMinute: null, perDay: null, callsAtOnce: 2, exemptUsers: [], now })
  const team = createTeamServer({
    ...{ accounts, spaces, rates, auth: 'accounts', publicUrl, now, log },
    routes: people.routes,
  })
  const app = createApp({
    mcp: team.mcp,
    routes: team.routes,
    guard: createGuard({
      listenHost: '127.0.0.1',
      allowedHosts: [new URL(publicUrl() || 'http://localhost').host],
    }),
    mcpCors: team.cors,
    onError: (error) => log.error('request failed', { error: String(error) }),
  })
  const server = await openHttpServer({
    ...{ app, address: { host: '127.0.0.1', port }, isPublic: true, certificate: options.certificate },
  })
  url = server.url
  async function close(): Promise<void> {
    people.close()
    await Promise.all([server.close(), team.close()])
  }
  return { dir, accounts, url, records, log, close }
}

export type People = Awaited<ReturnType<typeof startPeople>>

/** Creates a user who can sign in. */
export async function addPerson(
  { accounts }: Pick<People, 'accounts'>,
  { name = 'ada', space = 'team', role = 'writer' }: { name?: string; space?: string; role?: Role } = {},
): Promise<void> {
  const known = (await accounts.users.list()).some((user) => user.name === name)
  if (!known) {
    await accounts.users.create({ name })
    await accounts.passwords.set(name, PASSWORD)
  }
  await accounts.members.add({ user: name, space, role })
}

export interface Form {
  action: string
  fields: [string, string][]
}

export interface Page {
  status: number
  url: string
  headers: Headers
  html: string
  forms: Form[]
}

/** What a person does with a browser: it keeps cookies, follows redirects on the server, and sends forms. */
export function openPerson(url: string) {
  const cookies = new Map<string, { value: string; path: string }>()

  /** Stops where a redirect leaves the server: at the client. */
  async function go(target: string, init: RequestInit = {}): Promise<Page> {
    const at = new URL(target, url)
    const response = await fetch(at, {
      ...init,
      redirect: 'manual',
      headers: { cookie: cookieHeader(at.pathname), ...(init.headers as Record<string, string>) },
    })
    for (const line of response.headers.getSetCookie()) keep(line)
    const location = response.headers.get('location')
    if (location === null) return pageOf(response, at.href)
    const next = new URL(location, at)
    if (next.origin !== new URL(url).origin) return { ...(await pageOf(response, next.href)), url: next.href }
    return go(next.href)
  }

  function keep(line: string): void {
    const [pair = '', ...attributes] = line.split(/; */)
    const at = pair.indexOf('=')
    const name = pair.slice(0, at)
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/'
    const isGone = attributes.some(
      (one) => /^max-age=0$/i.test(one) || /^expires=Thu, 01 Jan 1970/i.test(one),
    )
    if (isGone) cookies.delete(`${name} ${path}`)
    else cookies.set(`${name} ${path}`, { value: pair.slice(at + 1), path })
  }

  function cookieHeader(path: string): string {
    return [...cookies]
      .filter(([, cookie]) => path === cookie.path || path.startsWith(`${cookie.path.replace(/\/$/, '')}/`))
      .map(([name, { value }]) => `${name.split(' ')[0]}=${value}`)
      .join('; ')
  }

  /** Fills in a form and sends it; `changes` replace its fields. */
  function send(form: Form | undefined, changes: Record<string, string | string[]> = {}): Promise<Page> {
    if (!form) throw new Error('the page has no such form')
    const fields = form.fields.filter(([name]) => !(name in changes))
    for (const [name, value] of Object.entries(changes))
      for (const one of [value].flat()) fields.push([name, one])
    return go(form.action, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(url).origin },
    })
  }

  return {
    go,
    send,
    cookies,
    async signIn(page: Page, name = 'ada', password = PASSWORD): Promise<Page> {
      return send(formFor(page, '/auth/login'), { name, password })
    },
    /** Signs in if asked, and agrees to what the client asks for. Returns the redirect to the client. */
    async agree(
      authorizationUrl: string,
      { name = 'ada', changes = {} }: { name?: string; changes?: Record<string, string | string[]> } = {},
    ): Promise<URL> {
      let page = await go(authorizationUrl)
      if (page.url.includes('/auth/login')) page = await this.signIn(page, name)
      if (page.url.includes('/auth/consent'))
        page = await send(formFor(page, '/auth/consent/'), { decision: 'allow', ...changes })
      return new URL(page.url)
    },
  }
}

export type Person = ReturnType<typeof openPerson>

export function formFor({ forms }: Page, action: string): Form | undefined {
  return forms.find((form) => form.action.startsWith(action))
}

async function pageOf(response: Response, url: string): Promise<Page> {
  const html = await response.text()
  return { status: response.status, url, headers: response.headers, html, forms: formsIn(html) }
}

/** With the fields that a browser would send unless the person changes something; no buttons. */
function formsIn(html: string): Form[] {
  const forms: Form[] = []
  let select: string | undefined
  const parser = new Parser({
    onopentag(tag, { name = '', value = '', type = '', action = '', ...given }) {
      const form = forms.at(-1)
      if (tag === 'form') forms.push({ action, fields: [] })
      const isSent = !['checkbox', 'radio'].includes(type) || 'checked' in given
      if (tag === 'input' && name !== '' && isSent) form?.fields.push([name, value])
      if (tag === 'select') select = name
      if (tag === 'option' && 'selected' in given && select !== undefined) form?.fields.push([select, value])
    },
    onclosetag(tag) {
      if (tag === 'select') select = undefined
    },
  })
  parser.end(html)
  return forms
}

/** The parts of PKCE that a client makes. */
export function createVerifier(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}
