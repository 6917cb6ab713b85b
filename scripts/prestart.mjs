// npm runs this before `start`, which then finds the project's own Node first on PATH: that Node can give its place to the server.
import { ensureStartable, runScript } from './setup.mjs'

await runScript(() => ensureStartable())
