/** Child of `bench/serve.ts`. The floor of a call: our own stack with a tool that does nothing. */
import { serveOnStdio } from '../../src/mcp/stdio/serve.ts'
import { nothingServed } from './nothing.ts'

const streams = { input: process.stdin, output: process.stdout }
await serveOnStdio({ ...(await nothingServed('stdio')), ...streams }).closed
