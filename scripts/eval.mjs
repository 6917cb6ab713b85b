// npm run eval [-- <folder>] [--json]: runs eval/main.ts on the project's Node, in the folder npm was called from.
import { join } from 'node:path'
import { ensureInstalled, projectNode, ROOT, runAttached, runScript } from './setup.mjs'

await runScript(async () => {
  await ensureInstalled()
  const cwd = process.env.INIT_CWD || process.cwd()
  return runAttached(projectNode(), [join(ROOT, 'eval', 'main.ts'), ...process.argv.slice(2)], { cwd })
})
