import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectWriter, hostExample, openBrowser, openPage, SETUP_MS, serveHttp } from './support/browser.ts'
import { ensureProgramIsBuilt } from './support/cli.ts'
import { noteFolder, userSettings } from './support/mcp.ts'
import { lastingPort } from './support/ports.ts'
import { soon } from './support/soon.ts'

const NOTES = { 'a.md': '# Deploys\n\nNever on a Friday.\n' }
let browser: Browser

beforeAll(async () => {
  ensureProgramIsBuilt()
  browser = await openBrowser()
}, SETUP_MS)
afterAll(() => browser?.close())

/** The example in a browser, on a memory of some notes that lets its origin in. */
async function openExample(notes: Record<string, string> = NOTES, port = 0) {
  const origin = await hostExample()
  const env = userSettings({
    server: { http: { allowed_origins: [origin] }, resources: { debounce: '10ms' } },
  })
  const source = noteFolder(notes)
  const running = await serveHttp(source, { port, env })
  const shown = await openPage(browser, `${origin}/?server=${encodeURIComponent(running.url)}`)
  const text = (selector: string) => () => shown.page.locator(selector).textContent({ timeout: 1_000 })
  return {
    ...shown,
    source,
    env,
    running,
    text,
    labels: () => shown.page.locator('.label').allTextContents(),
  }
}

describe('the browser example', () => {
  test('shows what is remembered', async () => {
    const { text, labels, misdeeds } = await openExample()
    await soon(text('#nodes')).toBe('2')
    await soon(labels).toEqual(['Deploys', 'Never on a Friday.'])
    expect(await text('#state')()).toBe('live')
    expect(misdeeds).toEqual([])
  })

  test('follows what another client writes', async () => {
    const { running, text, labels } = await openExample()
    await soon(text('#nodes')).toBe('2')
    await (await connectWriter(running.url))('Ship on Mondays.')
    await soon(labels).toContain('Ship on Mondays.')
    await soon(text('#nodes')).toBe('3')
    await soon(text('#told-tree')).not.toBe('0')
    expect(await text('#told-temperature')()).toBe('0')
  })

  test.each([
    ['an image', '# <img src=x onerror="document.title=1;alert(1)">'],
    ['a script', '- <script>document.title = 1</script>'],
    ['a link', '# <a href="javascript:alert(1)">x</a><style>*{display:none}</style>'],
  ])('shows a label with %s as the text that it is', async (_what, payload) => {
    const { page, running, text, labels, misdeeds } = await openExample()
    await soon(text('#nodes')).toBe('2')
    await (await connectWriter(running.url))(payload)
    await soon(async () => (await labels()).join('\n')).toMatch(/<(img|script|a) ?/)
    expect(await page.locator('main').locator('img, script, a, style').count()).toBe(0)
    expect(await page.title()).toBe('A memory, live')
    expect(misdeeds).toEqual([])
  })

  test('says what to do when its origin is not let in', async () => {
    const { running } = await openExample()
    const stranger = await hostExample()
    const { page } = await openPage(browser, `${stranger}/?server=${encodeURIComponent(running.url)}`)
    await soon(() => page.locator('#problem').textContent()).toContain(
      `add "${stranger}" to server.http.allowed_origins`,
    )
    expect(await page.locator('#problem').isVisible()).toBe(true)
    expect(await page.locator('#tree li').count()).toBe(0)
  })

  test('comes back with the server, and shows what it missed', async () => {
    const port = await lastingPort()
    const { running, source, env, text, labels } = await openExample(NOTES, port)
    await soon(text('#state')).toBe('live')
    await running.stop()
    await soon(text('#state')).toContain('not connected')
    const again = await serveHttp(source, { port, env })
    await (await connectWriter(again.url))('Written while nobody looked.')
    await soon(labels).toContain('Written while nobody looked.')
    await soon(text('#state')).toBe('live')
    await soon(text('#problem')).toBe('')
  })

  test('says that something cannot be read now, and reads it later', async () => {
    const { page, running, text, labels } = await openExample()
    await soon(text('#nodes')).toBe('2')
    const message = 'the memory is busy; try again'
    const refused = new Set<string | undefined>()
    await page.route(running.url, (route) => {
      const { 'mcp-method': method, 'mcp-name': uri } = route.request().headers()
      if (method !== 'resources/read') return route.continue()
      refused.add(uri)
      return route.fulfill({ json: { jsonrpc: '2.0', id: 1, error: { code: -32010, message } } })
    })
    await (await connectWriter(running.url))('Ship on Mondays.')
    await soon(() => refused.size).toBe(2)
    await soon(text('#problem')).toBe(message)
    await page.unroute(running.url)
    await soon(labels).toContain('Ship on Mondays.')
    await soon(text('#problem')).toBe('')
  })

  test.each([360, 1200])('fits a window of %i pixels, in the light and in the dark', async (width) => {
    const { page, labels } = await openExample({
      'a.md': `# ${'Unbroken'.repeat(60)}\n\n- a\n  - b\n    - c\n`,
    })
    await page.setViewportSize({ width, height: 740 })
    await soon(async () => (await labels()).length).toBeGreaterThan(1)
    const ground = async (colorScheme: 'dark' | 'light') => {
      await page.emulateMedia({ colorScheme })
      const [overflow, color] = (await page.evaluate(
        '[document.documentElement.scrollWidth - innerWidth, getComputedStyle(document.body).backgroundColor]',
      )) as [number, string]
      expect(overflow).toBeLessThanOrEqual(0)
      return color
    }
    expect(await ground('dark')).not.toBe(await ground('light'))
  })
})
