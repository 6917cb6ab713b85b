import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, SETUP_MS } from '../support/browser.ts'
import { addPerson, formFor, openPeople, openPerson, PASSWORD } from '../support/people.ts'
import { soon } from '../support/soon.ts'
import {
  accessRequest,
  button,
  expectUsable,
  heading,
  openClientServer,
  openVisitor,
} from '../support/visitors.ts'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
}, SETUP_MS)
afterAll(() => browser?.close())

/** Until the first administrator is made. */
async function openNewServer() {
  const server = await openPeople()
  return { ...server, code: (await server.accounts.setup.begin()) ?? '' }
}

/** Fills in all but the code. */
async function createAdministrator(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Repeat the password').fill(PASSWORD)
  await button(page, 'Create administrator').click()
  await page.getByText('Signed in as').waitFor()
}

test('the setup link fills in its code, leaves the address, and works once', async () => {
  const server = await openNewServer()
  const { page, complaints, elsewhere } = await openVisitor(browser, server)
  await page.goto(`${server.url}/auth/setup#${server.code}`)
  expect(await page.getByLabel('Setup code').inputValue()).toBe(server.code)
  expect(await page.locator(':focus').getAttribute('id')).toBe('name')
  expect(await page.evaluate('[location.href, history.length]')).toEqual([`${server.url}/auth/setup`, 2])
  await expectUsable(page)
  await createAdministrator(page)
  expect(await page.locator('header').textContent()).toContain('Signed in as ada')
  const response = await page.goto(`${server.url}/auth/setup#${server.code}`)
  expect(response?.status()).toBe(410)
  expect(await heading(page)).toBe('This link is no longer valid')
  await expectUsable(page)
  expect(complaints).toEqual([])
  expect([...elsewhere]).toEqual([])
})

test('without scripts the code is pasted, or the whole link', async () => {
  const server = await openNewServer()
  const { page, complaints } = await openVisitor(browser, server, { javaScriptEnabled: false })
  const link = `${server.url}/auth/setup#${server.code}`
  await page.goto(link)
  expect(await page.locator(':focus').getAttribute('id')).toBe('code')
  await page.keyboard.insertText(link)
  await createAdministrator(page)
  expect(complaints).toEqual([])
})

test('what is wrong when setting up is said, at the field that it is about', async () => {
  const server = await openNewServer()
  const { page } = await openVisitor(browser, server)
  await page.goto(`${server.url}/auth/setup#${server.code}`)
  await page.getByLabel('Name').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Repeat the password').fill(`${PASSWORD}!`)
  await button(page, 'Create administrator').click()
  expect(await page.getByRole('alert').textContent()).toBe('The two passwords are not the same.')
  expect(await page.locator(':focus').getAttribute('id')).toBe('password')
  expect(await page.locator('[aria-invalid]').count()).toBe(2)
  expect(await page.getByLabel('Setup code').inputValue()).toBe(server.code)
  await createAdministrator(page)
})

test('everything can be done with the keyboard alone', async () => {
  const { callback, request, ...server } = await openClientServer({ spaces: ['team', 'research'] })
  await addPerson(server, { space: 'research' })
  const { page, complaints } = await openVisitor(browser, server)
  const asked = await request('/mcp')
  await page.goto(asked.href)
  await page.keyboard.type('ada')
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${server.url}/auth/consent/*`)
  const order: string[] = []
  for (let at = 0; at < 8; at++) {
    await page.keyboard.press('Tab')
    order.push(await focused(page))
  }
  expect(order).toEqual([
    expect.stringMatching(/^checkbox "Read .*checked/),
    expect.stringMatching(/^checkbox "Write .*checked/),
    'combobox "Space"',
    'combobox "Access ends"',
    'button "Deny"',
    'button "Allow"',
    'link "connected clients"',
    'button "Sign out"',
  ])
  for (const name of ['link', 'Allow', 'Deny', 'Access ends', 'Space']) {
    await page.keyboard.press('Shift+Tab')
    if (name === 'Space') await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Space')
  expect(await focused(page)).toMatch(/^checkbox "Write .*"$/)
  for (const _ of ['Space', 'Access ends', 'Deny', 'Allow']) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${callback.origin}/callback?**`)
  expect((await asked.token(callback.answers[0])).scope).toBe('memories:read')
  await page.goto(`${server.url}/auth/clients`)
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('button "Sign out"')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('button "Revoke claude.ai calls itself “Claude Code” research"')
  await page.keyboard.press('Enter')
  await soon(() => page.getByRole('status').count()).toBe(1)
  expect(complaints).toEqual([])
})

/** What has the focus, as it is read out. The focus can be seen. */
async function focused(page: Page): Promise<string> {
  const style = 'getComputedStyle(document.activeElement)'
  expect(await page.evaluate(`[${style}.outlineStyle, ${style}.outlineWidth]`)).toEqual(['solid', '2px'])
  const [said = ''] = /\w+ ".*"( \[.*\])?/.exec(await page.locator(':focus').ariaSnapshot()) ?? []
  return said
}

test('two people at once each see their own clients and answer their own requests', async () => {
  const { callback, request, ...server } = await openClientServer()
  await addPerson(server, { name: 'grace' })
  const visitors = await Promise.all(
    ['ada', 'grace'].map(async (name) => ({
      name,
      ...(await openVisitor(browser, server)),
      asked: await request(),
    })),
  )
  await Promise.all(
    visitors.map(async ({ page, asked, name, signIn }) => {
      await page.goto(asked.href)
      await signIn(name)
      await page.waitForURL(`${server.url}/auth/consent/*`)
    }),
  )
  const [ada, grace] = visitors
  if (!ada || !grace) throw new Error('there are two')
  const other = await grace.context.newPage()
  await other.goto(ada.page.url())
  expect(await heading(other)).toBe('This request has expired')
  await button(ada.page, 'Allow').click()
  await ada.page.waitForURL(`${callback.origin}/callback?**`)
  await grace.page.goto(`${server.url}/auth/clients`)
  expect(await grace.page.getByText('No client is connected yet').count()).toBe(1)
  await ada.page.goto(`${server.url}/auth/clients`)
  expect(await ada.page.getByRole('heading', { name: 'claude.ai' }).count()).toBe(1)
  const [id] = (await server.accounts.grants.list({ user: 'ada' })).map((grant) => grant.id)
  const person = openPerson(server.url)
  const page = await person.signIn(await person.go('/auth/login'), 'grace')
  const form = formFor(page, '/auth/logout')
  const refused = await person.send(form && { ...form, action: '/auth/clients' }, { grant: id ?? '' })
  expect(refused.html).toContain('There is no such client.')
  expect(await server.accounts.grants.list({ user: 'ada' })).toHaveLength(1)
  expect([...ada.complaints, ...grace.complaints]).toEqual([])
})

test('somebody else can sign in where a client asks', async () => {
  const { callback, request, ...server } = await openClientServer()
  await addPerson(server, { name: 'grace' })
  const { page, signIn, complaints } = await openVisitor(browser, server)
  await page.goto((await request()).href)
  await signIn('ada')
  await server.accounts.members.remove({ user: 'ada', space: 'team' })
  await page.reload()
  expect(await heading(page)).toBe('No space to give access to')
  await expectUsable(page)
  await button(page, 'Sign out').click()
  expect(await page.locator('.lead').textContent()).toContain('claude.ai wants to use your memory')
  await signIn('grace')
  await button(page, 'Allow').click()
  await page.waitForURL(`${callback.origin}/callback?**`)
  expect((await server.accounts.grants.list()).map(({ user }) => user)).toEqual(['grace'])
  expect(complaints).toEqual([])
})

test('a request can be answered once, and not after it expired', async () => {
  let late = 0
  const { callback, request, ...server } = await openClientServer({ now: () => Date.now() + late })
  const { page, signIn, complaints } = await openVisitor(browser, server)
  await page.goto((await request()).href)
  await signIn()
  await page.waitForURL(`${server.url}/auth/consent/*`)
  const consent = page.url()
  await button(page, 'Allow').click()
  await page.waitForURL(`${callback.origin}/callback?**`)
  expect((await page.goto(consent))?.status()).toBe(400)
  await expectUsable(page)
  await page.goto(`${(await request()).href}&prompt=consent`)
  await expectUsable(page)
  late = 16 * 60_000
  await button(page, 'Allow').click()
  await page.waitForLoadState()
  expect(await heading(page)).toBe('This request has expired')
  expect(callback.answers).toHaveLength(1)
  expect(complaints).toEqual([])
})

test('after too many wrong passwords a page says how long to wait', async () => {
  const server = await openPeople({ now: () => Date.UTC(2026, 10, 20, 9, 30) })
  await addPerson(server)
  const person = openPerson(server.url)
  const login = await person.go('/auth/login')
  for (let tries = 0; tries < 10; tries++) await person.signIn(login, 'ada', 'wrong')
  const { page, signIn, complaints } = await openVisitor(browser, server)
  await page.goto(`${server.url}/auth/login`)
  const answered = page.waitForResponse('**/auth/login')
  await signIn()
  expect((await answered).status()).toBe(429)
  expect(await heading(page)).toBe('Too many attempts')
  expect(await page.locator('main').textContent()).toContain('Try again in 15 minutes')
  await expectUsable(page)
  expect(complaints).toEqual([])
})

test('a client that is a web page hears from the window that it opened', async () => {
  const { callback, request, ...server } = await openClientServer()
  const { page, context, complaints } = await openVisitor(browser, server)
  await page.goto(callback.origin)
  await page.locator('a').evaluate((link, href) => link.setAttribute('href', href), (await request()).href)
  const opened = context.waitForEvent('page')
  await page.locator('a').click()
  const popup = await opened
  await popup.getByLabel('Name').fill('ada')
  await popup.getByLabel('Password').fill(PASSWORD)
  await button(popup, 'Sign in').click()
  await button(popup, 'Allow').click()
  await soon(() => page.title()).toContain('code=')
  expect(complaints).toEqual([])
})

test('a policy that does not name the client would stop the answer, and tests would notice', async () => {
  const { callback, request, ...server } = await openClientServer()
  const { page, signIn, complaints } = await openVisitor(browser, server)
  await page.goto((await request()).href)
  await signIn()
  await page.waitForURL(`${server.url}/auth/consent/*`)
  await page.route(page.url(), async (route) => {
    const response = await route.fetch()
    const policy = response.headers()['content-security-policy'] ?? ''
    const headers = { 'content-security-policy': policy.replace(` ${callback.origin}`, '') }
    await route.fulfill({ response, headers: { ...response.headers(), ...headers } })
  })
  await page.reload()
  await page.unrouteAll()
  await button(page, 'Allow').click()
  await soon(() => complaints.join()).toContain(
    `violates the following Content Security Policy directive: "form-action 'self'"`,
  )
  expect(callback.answers).toEqual([])
})

test('what a person chose stays chosen when something is missing', async () => {
  const { request, ...server } = await openClientServer({ spaces: ['team', 'research'] })
  await addPerson(server, { space: 'research' })
  const { page, signIn } = await openVisitor(browser, server)
  await page.goto((await request('/mcp')).href)
  await signIn()
  for (const name of [/^Read/, /^Write/]) await page.getByRole('checkbox', { name }).uncheck()
  await page.getByLabel('Space', { exact: true }).selectOption('team')
  await page.getByLabel('Access ends').selectOption('in 1 year')
  await button(page, 'Allow').click()
  expect(await page.getByRole('alert').textContent()).toBe('Choose what the client may do, or deny access.')
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0)
  expect(await page.getByLabel('Space', { exact: true }).inputValue()).toBe('team')
  expect(await page.getByLabel('Access ends').inputValue()).toBe('1y')
  await expectUsable(page)
})

test('a client that registered itself is listed by where it answers to', async () => {
  const uri = 'cursor://anysphere.cursor-mcp/oauth/callback'
  const registration = { client_name: 'Cursor', redirect_uris: [uri] }
  const server = await openClientServer()
  const { href } = await accessRequest(server, { registration, redirectUri: uri })
  await openPerson(server.url).agree(href)
  const { page, signIn } = await openVisitor(browser, server)
  await page.goto(`${server.url}/auth/clients`)
  await signIn()
  expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toBe(
    'cursor://anysphere.cursor-mcp',
  )
  expect(await page.locator('.grant').textContent()).toContain('read, write')
  await expectUsable(page)
})
