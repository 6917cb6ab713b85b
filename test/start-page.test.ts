import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openBrowser, SETUP_MS, serveHttp } from './support/browser.ts'
import { ensureProgramIsBuilt, temporaryFolder } from './support/cli.ts'

beforeAll(ensureProgramIsBuilt)

test(
  'a browser that opens the printed address is shown what this is and what to paste, and nothing of the memory',
  async () => {
    using folder = temporaryFolder({ 'secret-plans.md': '# Heading of mine\n\nText of mine.\n' })
    const server = await serveHttp(folder.path)
    onTestFinished(server.stop)
    const browser = await openBrowser()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    const response = await page.goto(server.url)
    expect(response?.status()).toBe(200)
    expect(new URL(page.url()).pathname).toBe('/')
    expect(await page.title()).toBe('remindb')
    // The folder is being compiled: the page shows what is there by now.
    const reload = async () => {
      await page.reload()
      return page.textContent('body')
    }
    await expect.poll(reload, { timeout: SETUP_MS }).toMatch(/\b2 nodes, \d+ tokens, 1 snapshot\./)
    const text = (await page.textContent('body')) ?? ''
    expect(text).toContain(server.url)
    expect(text).toContain(`claude mcp add --transport http remindb ${server.url}`)
    expect(text).not.toMatch(/of mine|secret-plans/)
    // The style is the one that the policy allows: a refused one would leave the browser's own font.
    expect(await page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth")).not.toBe('none')
    expect(complaints).toEqual([])
  },
  SETUP_MS,
)
