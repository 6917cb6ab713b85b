// npm run docs: writes the tables of docs/reference/ that follow from the sources, on the project's Node. With --check it only
// says which pages are out of date.
import { join } from 'node:path'
import { ensureInstalled, projectNode, ROOT, runAttached, runScript } from './setup.mjs'

await runScript(async () => {
  await ensureInstalled()
  return runAttached(projectNode(), [join(ROOT, 'scripts', 'reference', 'main.ts'), ...process.argv.slice(2)])
})
