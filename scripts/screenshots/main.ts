import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { pageResponse } from '../../src/http/pages/page-response.ts'
import { PAGE_PATHS } from '../../src/http/pages/paths.ts'
import { ROOT } from '../../test/support/docs.ts'
import { SAMPLES } from '../../test/support/page-samples.ts'
import { REPEATABLE, takeScreenshots } from './screenshot.ts'

const [executablePath = '', url] = process.argv.slice(2)
const folder = join(ROOT, 'docs', 'screenshots')
mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({ executablePath, args: REPEATABLE })
const page = await browser.newPage()
await (url === undefined ? shootSamples(page) : shootServer(page, url))
await browser.close()

/** With the headers that the server sends: a style that its policy refuses is not in the picture. */
async function shootSamples(page: Page): Promise<void> {
  await page.route('**', async (route) => {
    const sample = SAMPLES[new URL(route.request().url()).pathname.slice(1)]
    if (sample === undefined) return route.abort()
    const response = pageResponse(sample)
    return route.fulfill({ headers: Object.fromEntries(response.headers), body: await response.text() })
  })
  for (const name of Object.keys(SAMPLES)) {
    await page.goto(`https://memory.test/${name}`)
    await takeScreenshots(page, folder, name)
  }
}

/** What a visitor sees who is not signed in. Tests take pictures of the rest with `takeScreenshots`. */
async function shootServer(page: Page, url: string): Promise<void> {
  for (const name of ['login', 'setup'] as const) {
    await page.goto(new URL(PAGE_PATHS[name], url).href)
    await takeScreenshots(page, folder, name)
  }
}
