import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { type ClientShape, discover, type TokenAnswer, tokensIn } from './oauth-client.ts'
import { addPerson, openPeople, PASSWORD, type People, type PeopleOptions } from './people.ts'

/** Where a client waits for the answer: a page that tells whoever opened it. */
const ANSWERED = `<!doctype html><title>Answered</title><h1>Back at the client</h1>
<script>window.opener?.postMessage(location.search, location.origin)</script>`
/** A client that is a web page: it opens the server in a window of its own. */
const OPENER = `<!doctype html><title>A client</title>
<script>addEventListener('message', ({ data }) => { document.title = data })</script>
<a target="_blank" rel="opener">Connect</a>`

/** A client on this computer that waits for its answer. `answers`: the URLs that browsers came back with. */
export async function openCallback() {
  const answers: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const isAnswer = url.pathname === '/callback'
    if (isAnswer) answers.push(url)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(isAnswer ? ANSWERED : OPENER)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, uri: `${origin}/callback`, answers }
}

/** The metadata document of a client, by its URL. */
export function clientDocument(clientId: string, name: string, redirectUri: string): Record<string, unknown> {
  return {
    [clientId]: {
      ...{ client_id: clientId, client_name: name, redirect_uris: [redirectUri] },
      token_endpoint_auth_method: 'none',
    },
  }
}

const CLAUDE = 'https://claude.ai/oauth/claude-code-client-metadata'

/** A server with Ada in it, and a client on this computer that its website vouches for. */
export async function openClientServer(options: PeopleOptions = {}) {
  const callback = await openCallback()
  const documents = clientDocument(CLAUDE, 'Claude Code', 'http://127.0.0.1/callback')
  const server = await openPeople({ documents, ...options })
  await addPerson(server)
  /** The client asks for access to an endpoint; by default to that of a space. */
  const request = (path?: string) =>
    accessRequest(server, { document: CLAUDE, redirectUri: callback.uri }, path)
  return { ...server, callback, request }
}

/** A request of a client: the page that it opens, and how it gets a token with the answer. */
export async function accessRequest(server: Pick<People, 'url'>, shape: ClientShape, path?: string) {
  const client = await discover(server, shape, path)
  const { href, verifier } = client.request()
  return {
    href,
    token: async (answer = new URL('about:blank')): Promise<TokenAnswer> =>
      tokensIn(await client.exchange(answer, verifier)),
  }
}

/** Chromium reports the status of the page itself; nothing else may fail. */
const OWN_STATUS = /^Failed to load resource: the server responded with a status of 4(00|01|03|10|29) /

/**
 * A browser of one person. `complaints`: what it reported, such as what a policy stopped. `elsewhere`: the origins other than the
 * server's that it sent requests to.
 */
export async function openVisitor(
  browser: Browser,
  { url }: Pick<People, 'url'>,
  options: BrowserContextOptions = {},
) {
  const context = await browser.newContext({ viewport: { width: 800, height: 900 }, ...options })
  onTestFinished(() => context.close())
  const complaints: string[] = []
  const elsewhere = new Set<string>()
  context.on('console', (message) => {
    const isComplaint = ['error', 'warning'].includes(message.type()) && !OWN_STATUS.test(message.text())
    if (isComplaint) complaints.push(message.text())
  })
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('request', (request) => {
    const { origin } = new URL(request.url())
    if (origin !== url) elsewhere.add(origin)
  })
  const page = await context.newPage()
  return {
    context,
    page,
    complaints,
    elsewhere,
    signIn: (name?: string, password?: string) => signIn(page, name, password),
  }
}

/** Fills in the page for signing in, which must be open. */
async function signIn(page: Page, name = 'ada', password = PASSWORD): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** What anybody needs of a page, whatever it is about. */
export async function expectUsable(page: Page): Promise<void> {
  expect(await page.title()).toMatch(/^\S.* · remindb$/)
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  expect(await page.getByRole('main').count()).toBe(1)
  // Each control has a name that is read out.
  for (const control of await page.locator('input:not([type=hidden]), select, button, a').all())
    expect(await control.ariaSnapshot()).toMatch(/^- \w+ "[^"]+"/)
  const { width, height } = page.viewportSize() ?? { width: 800, height: 900 }
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width, height })
  const ground = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme })
    return page.evaluate('getComputedStyle(document.body).backgroundColor')
  }
  expect([await ground('dark'), await ground('light')]).toEqual(['rgb(18, 18, 18)', 'rgb(245, 245, 244)'])
}

export function button(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true })
}

export function heading(page: Page): Promise<string | null> {
  return page.getByRole('heading', { level: 1 }).textContent()
}
