import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { consentPage } from '../src/http/pages/consent.ts'
import type { HtmlPage } from '../src/http/pages/html-page.ts'
import { pageResponse, scriptResponse } from '../src/http/pages/page-response.ts'
import { PAGE_PATHS } from '../src/http/pages/paths.ts'
import { SETUP_SCRIPT } from '../src/http/pages/setup.ts'
import { openBrowser, SETUP_MS } from './support/browser.ts'
import { ROOT } from './support/docs.ts'
import { LOCAL_CONSENT, SAMPLES } from './support/page-samples.ts'

const ORIGIN = 'https://memory.test'
let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
}, SETUP_MS)
afterAll(() => browser?.close())

const WIDE = 'W'.repeat(300)
const PAGES: Record<string, HtmlPage> = {
  ...SAMPLES,
  'consent-hostile': consentPage({
    ...LOCAL_CONSENT,
    user: WIDE,
    client: { host: `${WIDE}.example`, name: WIDE, isVerifiedHost: false },
    spaces: [{ name: WIDE, isReadOnly: true }],
    error: WIDE,
  }),
}

/** The pages as the server sends them, each at its name, in a browser without a network. */
async function open(name: string, options: BrowserContextOptions = {}, hash = '') {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const complaints: string[] = []
  const page = await context.newPage()
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.route('**', async (route) => {
    const path = new URL(route.request().url()).pathname
    const sample = PAGES[path.slice(1)]
    const isScript = path === PAGE_PATHS.setupScript
    if (!isScript && sample === undefined) return route.abort()
    const response = isScript ? scriptResponse(SETUP_SCRIPT) : pageResponse(sample as HtmlPage)
    return route.fulfill({ headers: Object.fromEntries(response.headers), body: await response.text() })
  })
  await page.goto(`${ORIGIN}/${name}${hash}`)
  return { page, complaints }
}

const focusedId = (page: Page) => page.evaluate('document.activeElement.id')

describe.each(Object.keys(PAGES))('the page %s', (name) => {
  test('fits every window, has its style and is dark in the dark', async () => {
    const { page, complaints } = await open(name)
    for (const width of [320, 360, 768, 1600]) {
      await page.setViewportSize({ width, height: 640 })
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      const outside = await page.evaluate(
        `[...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > innerWidth).length`,
      )
      expect(outside).toBe(0)
    }
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await ground()).toBe('rgb(245, 245, 244)')
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await ground()).toBe('rgb(18, 18, 18)')
    expect(complaints).toEqual([])
  })

  test('can be used with the keyboard: every control is reached and shows it', async () => {
    const { page } = await open(name)
    const controls = page.locator('a, button, select, input:not([type=hidden])')
    const reached = new Set<unknown>()
    for (let at = 0; at <= (await controls.count()); at++) {
      const [index, outline] = (await page.evaluate(
        `[[...document.querySelectorAll('a, button, select, input:not([type=hidden])')].indexOf(document.activeElement), getComputedStyle(document.activeElement).outlineStyle]`,
      )) as [number, string]
      if (index >= 0) expect(outline).toBe('solid')
      reached.add(index)
      await page.keyboard.press('Tab')
    }
    reached.delete(-1)
    expect(reached.size).toBe(await controls.count())
  })
})

describe('setting up', () => {
  test('takes the code from the fragment, and leaves none in the address', async () => {
    const { page, complaints } = await open('setup', {}, '#the-code')
    expect(await page.inputValue('#code')).toBe('the-code')
    expect(page.url()).toBe(`${ORIGIN}/setup`)
    expect(await focusedId(page)).toBe('name')
    expect(complaints).toEqual([])
  })

  test('lets a person paste the code without scripts', async () => {
    const { page } = await open('setup', { javaScriptEnabled: false }, '#the-code')
    expect(await page.inputValue('#code')).toBe('')
    await page.keyboard.type('the-code')
    expect(await page.inputValue('#code')).toBe('the-code')
  })
})

test('the Enter key on a scope does not allow anything', async () => {
  const { page } = await open('consent')
  await page.locator('input[type=checkbox]').first().focus()
  const request = page.waitForRequest((one) => one.method() === 'POST')
  await page.keyboard.press('Enter')
  expect((await request).postData()).toContain('decision=deny')
})

test('the screenshots in the documentation are small', () => {
  const folder = join(ROOT, 'docs', 'screenshots')
  const pictures = readdirSync(folder).filter((file) => file.endsWith('.png'))
  expect(pictures.length).toBeGreaterThan(10)
  expect(pictures.filter((file) => statSync(join(folder, file)).size > 60 * 1024)).toEqual([])
})
