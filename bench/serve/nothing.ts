import type { AgentMemory } from '../../src/mcp/model/agent-memory.ts'
import type { Observer, ServerObserver, TransportName } from '../../src/mcp/model/observer.ts'
import { SCHEMES } from '../../src/mcp/model/scheme.ts'
import type { Served } from '../../src/mcp/model/served.ts'
import type { Tool } from '../../src/mcp/model/tool.ts'
import { createRegistry, type Registry } from '../../src/mcp/sessions/registry.ts'
import { type Audience, createAudience } from '../../src/mcp/subscriptions/audience.ts'
import type { Log } from '../../src/util/log.ts'
import { loadXxh64 } from '../../src/util/text/xxh64.ts'

const noop: Tool = {
  name: 'Noop',
  title: 'Nothing',
  description: 'Does nothing',
  hint: 'nothing',
  toolset: 'tree',
  access: 'reads',
  scope: 'memories:read',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: { json: { type: 'object' }, parse: (value) => value },
  output: { type: 'object' },
  logged: () => ({}),
  call: async () => ({ text: 'done', structured: { done: true } }),
}
const nothing = (): void => undefined
const log: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing, of: () => log }

/** All that a server needs, and nothing behind it: what is left is what the stack itself takes. */
export async function nothingServed(
  transport: TransportName,
): Promise<{ served: Served; registry: Registry; audience: Audience }> {
  const registry = createRegistry({
    now: Date.now,
    transport,
    idleExpiryMs: 60_000,
    hash: await loadXxh64(),
    salt: '',
  })
  const served: Served = {
    version: '0',
    tools: [noop],
    allowed: () => ({ access: 'removes' }),
    answers: 'text',
    schemes: SCHEMES,
    memory: {
      as: async () => ({}) as AgentMemory,
      observer: async () => ({ overview: async () => ({ done: true }) }) as unknown as Observer,
      record: () => undefined,
      compiling: async () => undefined,
    },
    observer: {} as ServerObserver,
    isEnding: () => false,
    log,
    redact: async () => (text) => text,
    clock: () => performance.now(),
  }
  return { served, registry, audience: createAudience() }
}
