// npm runs this before `start`, which then finds the project's own Node first on PATH: that Node can give its place to the server.
import { ensureBuilt, ensureInstalled, runScript } from './setup.mjs'

await runScript(async () => {
  await ensureInstalled()
  await ensureBuilt()
})
