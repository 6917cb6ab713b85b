import { chromium } from 'playwright-core'
import { PASSWORD } from '../../test/support/people.ts'
import { PUBLIC_URL, type SampleServer } from './sample-server.ts'

/** A Chromium that finds the server at its public URL. */
export async function openBrowserOf({ url }: SampleServer, executablePath: string) {
  const browser = await chromium.launch({
    executablePath,
    args: [`--host-resolver-rules=MAP ${new URL(PUBLIC_URL).host} ${new URL(url).host}`],
  })
  return {
    close: () => browser.close(),
    /** Somebody whom the server does not know yet. */
    async visit() {
      const page = await browser.newPage({ ignoreHTTPSErrors: true })
      return {
        page,
        async signIn(name: string, password = PASSWORD): Promise<void> {
          await page.getByLabel('Name').fill(name)
          await page.getByLabel('Password').fill(password)
          await page.getByRole('button', { name: 'Sign in' }).click()
          await page.waitForLoadState()
        },
      }
    },
  }
}
