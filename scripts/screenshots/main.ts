import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../test/support/docs.ts'
import { openBrowserOf } from './browser.ts'
import { openSampleServer, PUBLIC_URL } from './sample-server.ts'
import { takeScreenshots } from './screenshot.ts'

const [executablePath = ''] = process.argv.slice(2)
const folder = join(ROOT, 'docs', 'screenshots')
const dir = mkdtempSync(join(tmpdir(), 'remindb-screenshots-'))
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const server = await openSampleServer(dir)
const browser = await openBrowserOf(server, executablePath)
try {
  await shootAll()
} finally {
  await browser.close()
  await server.close()
  rmSync(dir, { recursive: true, force: true })
}

/** Every page that a person sees, as a person comes to see it. */
async function shootAll(): Promise<void> {
  const { authorization } = server
  const visitor = await browser.visit()
  await visitor.page.goto(`${PUBLIC_URL}/auth/login`)
  await takeScreenshots(visitor.page, folder, 'login')
  await visitor.page.goto(`${PUBLIC_URL}/auth/setup#8hVqT2mZc4XwYbK1nRsJ6dPfG3uLa9Ee`)
  await takeScreenshots(visitor.page, folder, 'setup')
  await visitor.page.goto(authorization('claude'))
  await visitor.signIn('ada', 'wrong')
  await takeScreenshots(visitor.page, folder, 'login-for-client')

  const ada = await browser.visit()
  await ada.page.goto(authorization('claude'))
  await ada.signIn('ada')
  await takeScreenshots(ada.page, folder, 'consent', { hasPhone: true })
  await ada.page.goto(authorization('claude', '/mcp'))
  await takeScreenshots(ada.page, folder, 'consent-picker', { hasPhone: true })
  await ada.page.goto(authorization('cursor'))
  await takeScreenshots(ada.page, folder, 'consent-app')
  await ada.page.goto(`${PUBLIC_URL}/auth/clients`)
  await takeScreenshots(ada.page, folder, 'clients', { hasPhone: true })

  const bob = await browser.visit()
  await bob.page.goto(authorization('claudeCode', '/s/notes/mcp'))
  await bob.signIn('bob')
  await takeScreenshots(bob.page, folder, 'consent-local')
}
