// npm run agents [-- <program>…] [flags]: runs agents/main.ts on the project's Node; see docs/reference/agents.md.
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, projectNode, ROOT, runAttached, runScript } from './setup.mjs'

await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
  return runAttached(projectNode(), [join(ROOT, 'agents', 'main.ts'), ...process.argv.slice(2)])
})
