import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RESOURCES } from '../src/mcp/resources/list.ts'
import { SUBSCRIBABLE, uriOf } from '../src/mcp/subscriptions/subscribable.ts'
import { connectWriter, hostExample, openBrowser, openPage, SETUP_MS, serveHttp } from './support/browser.ts'
import { ensureProgramIsBuilt } from './support/cli.ts'
import { compareNames, parsePage, ROOT, tableUnder } from './support/docs.ts'
import { noteFolder, userSettings } from './support/mcp.ts'
import { soon } from './support/soon.ts'

const page = parsePage(readFileSync(join(ROOT, 'docs/how-to/build-a-user-interface.md'), 'utf8'))
const rows = tableUnder(page, 'What there is')

describe('the table for authors of user interfaces', () => {
  test('has every resource, with its pages', () => {
    const uris = rows.flatMap(([uri = '', , , pages = '']) => [uri, pages]).filter((one) => one !== '')
    const known = RESOURCES.map(({ uri }) => uri).filter((uri) => uri.startsWith('remindb://'))
    expect(compareNames('resource', uris, known)).toEqual([])
  })

  test('names what can be subscribed to, and nothing else', () => {
    const named = rows.map(([, subscribe = '']) => subscribe).filter((one) => one !== '')
    expect(compareNames('subscription', [...new Set(named)], SUBSCRIBABLE.map(uriOf))).toEqual([])
  })
})

describe('the code for authors of user interfaces', () => {
  let browser: Browser
  beforeAll(async () => {
    ensureProgramIsBuilt()
    browser = await openBrowser()
  }, SETUP_MS)
  afterAll(() => browser?.close())

  function codeUnder(heading: string): string {
    const at = page.headings.findIndex(({ text }) => text === heading)
    const [start = 0, end = 0] = [page.headings[at]?.line, page.headings[at + 1]?.line]
    const fences = page.fences.filter(({ info, line }) => info === 'js' && line > start && line < end)
    expect(fences, heading).not.toEqual([])
    return fences.map(({ content }) => content).join('\n')
  }

  test.each(['Revision 2026-07-28', 'Revision 2025-11-25'])(
    'of %s reads, and hears of a change, on a page of another origin',
    async (heading) => {
      const origin = await hostExample()
      const server = { http: { allowed_origins: [origin] }, resources: { debounce: '10ms' } }
      const { url } = await serveHttp(noteFolder({ 'a.md': '# A\n' }), { env: userSettings({ server }) })
      // A page that does nothing by itself.
      const { page: shown } = await openPage(browser, `${origin}/mcp.js`)
      const said: string[] = []
      shown.on('console', (message) => said.push(message.text()))
      const own = `const show = ({ nodes }) => console.log('nodes ' + nodes.total)
const readAgain = async (uri) => console.log('changed ' + uri + ' ' + (await read(uri)).roots.length)`
      const code = [own, codeUnder('Messages in a stream'), codeUnder(heading)].join('\n')
      const program = code.replaceAll('http://127.0.0.1:7474/mcp', url)
      // The stream lasts: nobody waits for its end.
      await shown.evaluate(`void (async () => { ${program} })().catch((error) => console.log(String(error)))`)
      // It listens before it reads.
      await soon(() => said.join('\n')).toMatch(/^nodes \d+$/m)
      await (await connectWriter(url))('News.')
      await soon(() => said.join('\n')).toContain('changed remindb://tree 2')
    },
  )
})
