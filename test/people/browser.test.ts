import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, SETUP_MS } from '../support/browser.ts'
import { ask, type ClientShape } from '../support/oauth-client.ts'
import { addPerson, PASSWORD } from '../support/people.ts'
import { accessRequest, button, heading, openClientServer, openVisitor } from '../support/visitors.ts'

const CURSOR: ClientShape = {
  registration: { client_name: 'Cursor', redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'] },
  redirectUri: 'cursor://anysphere.cursor-mcp/oauth/callback',
}
const WITHOUT_SCRIPTS = { javaScriptEnabled: false }
const REVOKE = 'Revoke claude.ai calls itself “Claude Code” team'
let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
}, SETUP_MS)
afterAll(() => browser?.close())

describe.each([
  ['with scripts', {}],
  ['without scripts', WITHOUT_SCRIPTS],
])('%s', (_how, options) => {
  test('a person signs in and out', async () => {
    const server = await openClientServer()
    const { page, complaints, elsewhere, signIn } = await openVisitor(browser, server, options)
    await page.goto(`${server.url}/auth/clients`)
    expect(await heading(page)).toBe('Sign in')
    await signIn('ada', 'not the password')
    expect(await page.getByRole('alert').textContent()).toBe('The name or the password is wrong.')
    expect(await page.getByLabel('Name').inputValue()).toBe('ada')
    expect(await page.getByLabel('Password').getAttribute('aria-describedby')).toBe('error')
    expect(await page.locator(':focus').getAttribute('id')).toBe('password')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server.url}/auth/clients`)
    expect(await heading(page)).toBe('Connected clients')
    await button(page, 'Sign out').click()
    expect(await heading(page)).toBe('Signed out')
    await page.goto(`${server.url}/auth/clients`)
    expect(await heading(page)).toBe('Sign in')
    expect(complaints).toEqual([])
    expect([...elsewhere]).toEqual([])
  })

  test('a client gets what its user agreed to', async () => {
    const { callback, request, ...server } = await openClientServer()
    const { page, complaints, elsewhere, signIn } = await openVisitor(browser, server, options)
    const asked = await request()
    await page.goto(asked.href)
    expect(await page.locator('.lead').textContent()).toContain('claude.ai wants to use your memory')
    await signIn()
    await page.waitForURL(`${server.url}/auth/consent/*`)
    expect(await heading(page)).toBe('claude.ai wants to use your memory')
    expect(await page.locator('main').textContent()).toContain('It calls itself “Claude Code”')
    expect(await page.locator('.caution').textContent()).toContain('a program on this computer')
    expect(await page.getByLabel('Space', { exact: true }).count()).toBe(0)
    expect(await page.locator('.below').textContent()).toContain(new URL(callback.origin).host)
    await page.getByRole('checkbox', { name: /^Write/ }).uncheck()
    await page.getByLabel('Access ends').selectOption('in 30 days')
    await button(page, 'Allow').click()
    await page.waitForURL(`${callback.origin}/callback?**`)
    const token = await asked.token(callback.answers[0])
    expect(token.scope).toBe('memories:read')
    expect((await ask(`${server.url}/s/team/mcp`, token.access_token)).status).toBe(200)
    expect(complaints).toEqual([])
    expect([...elsewhere]).toEqual([callback.origin])
  })

  test('a person chooses the space for a client that was given no space', async () => {
    const { callback, request, ...server } = await openClientServer({ spaces: ['team', 'research'] })
    await addPerson(server, { space: 'research', role: 'reader' })
    const { page, complaints, signIn } = await openVisitor(browser, server, options)
    const asked = await request('/mcp')
    await page.goto(asked.href)
    await signIn()
    await page.getByLabel('Space', { exact: true }).selectOption('research (read only)')
    await button(page, 'Allow').click()
    await page.waitForURL(`${callback.origin}/callback?**`)
    const token = await asked.token(callback.answers[0])
    expect(token.scope).toBe('memories:read')
    expect((await ask(`${server.url}/mcp`, token.access_token)).status).toBe(200)
    expect((await ask(`${server.url}/s/research/mcp`, token.access_token)).status).toBe(401)
    expect(complaints).toEqual([])
  })

  test('a client hears that it was denied', async () => {
    const { callback, request, ...server } = await openClientServer()
    const { page, complaints, signIn } = await openVisitor(browser, server, options)
    await page.goto((await request()).href)
    await signIn()
    await button(page, 'Deny').click()
    await page.waitForURL(`${callback.origin}/callback?**`)
    expect(callback.answers[0]?.searchParams.get('error')).toBe('access_denied')
    await page.goto(`${server.url}/auth/clients`)
    expect(await page.getByText('No client is connected yet').count()).toBe(1)
    expect(complaints).toEqual([])
  })

  test('a person who agreed before goes from signing in straight back to the client', async () => {
    const { callback, request, ...server } = await openClientServer()
    const first = await openVisitor(browser, server, options)
    await first.page.goto((await request()).href)
    await first.signIn()
    await button(first.page, 'Allow').click()
    await first.page.waitForURL(`${callback.origin}/callback?**`)
    const { page, complaints, signIn } = await openVisitor(browser, server, options)
    const asked = await request()
    await page.goto(asked.href)
    await signIn()
    await page.waitForURL(`${callback.origin}/callback?**`)
    expect((await asked.token(callback.answers[1])).scope).toBe('memories:read memories:write')
    expect(complaints).toEqual([])
  })

  test('an app is opened by its own links, and no policy stops them', async () => {
    const server = await openClientServer()
    const { page, context, complaints, signIn } = await openVisitor(browser, server, options)
    const asked = await accessRequest(server, CURSOR)
    await page.goto(asked.href)
    expect(await page.locator('.lead').textContent()).toContain('cursor://anysphere.cursor-mcp wants')
    await signIn()
    expect(await heading(page)).toBe('A client at cursor://anysphere.cursor-mcp wants to use your memory')
    const opened = context.waitForEvent('request', (request) => request.url().startsWith('cursor:'))
    await button(page, 'Allow').click()
    const answer = new URL((await opened).url())
    expect((await asked.token(answer)).scope).toBe('memories:read memories:write')
    expect(complaints).toEqual([])
  })

  test('a client that is revoked is gone at once', async () => {
    const { callback, request, ...server } = await openClientServer()
    const { page, complaints, signIn } = await openVisitor(browser, server, options)
    const asked = await request()
    await page.goto(asked.href)
    await signIn()
    await button(page, 'Allow').click()
    await page.waitForURL(`${callback.origin}/callback?**`)
    const { access_token: token } = await asked.token(callback.answers[0])
    await page.goto(`${server.url}/auth/clients`)
    await button(page, REVOKE).click()
    expect(await page.getByRole('status').textContent()).toBe('Claude Code can no longer use “team”.')
    expect((await ask(`${server.url}/s/team/mcp`, token)).status).toBe(401)
    expect(complaints).toEqual([])
  })
})
