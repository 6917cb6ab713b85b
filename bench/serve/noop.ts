/** Child of `bench/serve.ts`. The floor of a call: our own stack with a tool that does nothing. */

import type { Hands } from '../../src/mcp/hands.ts'
import { createRegistry } from '../../src/mcp/sessions/registry.ts'
import { serveOnStdio } from '../../src/mcp/stdio/serve.ts'
import { createAudience } from '../../src/mcp/subscriptions/audience.ts'
import type { Tool } from '../../src/mcp/tools/tool.ts'
import { loadXxh64 } from '../../src/util/hash.ts'
import type { Log } from '../../src/util/log.ts'

const noop: Tool = {
  name: 'Noop',
  title: 'Nothing',
  description: 'Does nothing',
  toolset: 'tree',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: { json: { type: 'object' }, parse: (value) => value },
  output: { type: 'object' },
  logged: () => ({}),
  call: async () => ({ text: 'done', structured: { done: true } }),
}
const nothing = (): void => undefined
const log: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing, of: () => log }
const registry = createRegistry({
  now: Date.now,
  transport: 'stdio',
  idleExpiryMs: 60_000,
  hash: await loadXxh64(),
  salt: '',
})
const { closed } = serveOnStdio({
  served: {
    version: '0',
    tools: [noop],
    hands: async () => ({}) as Hands,
    observer: () => Promise.reject(new Error('there is nothing to see')),
    log,
    clock: () => performance.now(),
  },
  registry,
  audience: createAudience(),
  input: process.stdin,
  output: process.stdout,
})
await closed
