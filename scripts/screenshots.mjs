// npm run screenshots: writes docs/screenshots/ from the pages of a running server.
import { join } from 'node:path'
import { ensureChromium } from './chromium.mjs'
import { ensureInstalled, projectNode, ROOT, runAttached, runScript } from './setup.mjs'

await runScript(async () => {
  await ensureInstalled()
  const chromium = await ensureChromium()
  const main = join(ROOT, 'scripts', 'screenshots', 'main.ts')
  return runAttached(projectNode(), [main, chromium])
})
