import { createDispatcher, type Method } from '../../src/mcp/dispatch.ts'
import type { AgentMemory } from '../../src/mcp/model/agent-memory.ts'
import type { Observer, ServerObserver } from '../../src/mcp/model/observer.ts'
import type { Request } from '../../src/mcp/model/request.ts'
import { SCHEMES } from '../../src/mcp/model/scheme.ts'
import type { Served } from '../../src/mcp/model/served.ts'
import { recordingLog } from './recording-log.ts'

/** A server that offers nothing, over a memory that holds nothing, but for what a test gives. */
export function servedWith(
  given: Partial<Omit<Served, 'memory'>> & { memory?: Partial<Served['memory']> } = {},
): Served {
  return {
    version: '0',
    tools: [],
    allowed: () => ({ access: 'removes' }),
    answers: 'text',
    schemes: SCHEMES,
    observer: {} as ServerObserver,
    isEnding: () => false,
    log: recordingLog().log,
    redact: async () => (text) => text,
    clock: () => 0,
    ...given,
    memory: {
      as: async () => ({}) as AgentMemory,
      observer: async () => ({}) as Observer,
      record: () => undefined,
      compiling: async () => undefined,
      ...given.memory,
    },
  }
}

/** Sends a request to a server as a client that nobody knows. */
export function dispatchTo(
  served: Served,
  method: Method,
  params: unknown,
  request: Partial<Request> = {},
  // biome-ignore lint/suspicious/noExplicitAny: what a client gets is JSON
): Promise<any> {
  const subscribed = { add: async () => undefined, delete: () => undefined }
  const dispatch = createDispatcher(served, { subscribed, audience: { canSubscribe: () => false } })
  return dispatch(method, {
    ...{ params, caller: { sessionId: '', author: 'test', address: '' }, protocol: '2025-11-25' },
    signal: new AbortController().signal,
    ...request,
  })
}
