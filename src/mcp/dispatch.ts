import type { NeededScope } from '../core/access/scopes.ts'
import { isMemoryError, MemoryError } from '../core/errors.ts'
import { createGate } from '../util/gate.ts'
import { prepareTool } from './call-tool.ts'
import { preparePromptList, prepareResourceList, prepareTemplateList, prepareToolList } from './lists.ts'
import { hasScope } from './model/access.ts'
import type { Caller } from './model/caller.ts'
import { invalidParams, messageOf } from './model/errors.ts'
import { checkPermitted } from './model/permissions.ts'
import type { Call, Request } from './model/request.ts'
import { MAX_RUNNING } from './model/running.ts'
import type { Served } from './model/served.ts'
import { preparePrompt } from './prompts/get-prompt.ts'
import { prepareRead } from './read-resource.ts'
import { prepareSubscribe, prepareUnsubscribe, type Subscriptions } from './subscriptions/subscribe.ts'

/** How each request of a client is understood. Each says what it does to the memory; what is not here is not answered. */
const PREPARE = {
  'tools/list': prepareToolList,
  'tools/call': prepareTool,
  'resources/list': prepareResourceList,
  'resources/templates/list': prepareTemplateList,
  'resources/read': (served: Served, request: Request<{ uri: string }>) => prepareRead(served, request),
  'resources/subscribe': prepareSubscribe,
  'resources/unsubscribe': prepareUnsubscribe,
  'prompts/list': preparePromptList,
  'prompts/get': (served: Served, request: Parameters<typeof preparePrompt>[1]) =>
    preparePrompt(served, request),
} satisfies Record<string, Prepare>

type Prepare = (served: Served, request: Request<never>, subscriptions: Subscriptions) => Call<unknown>
export type Method = keyof typeof PREPARE

/** What rate limits count. */
const COUNTED: ReadonlySet<Method> = new Set(['tools/call', 'resources/read'])

export type Dispatch = (method: Method, request: Request) => Promise<unknown>

/** The highest scope that an HTTP body needs and its client lacks, for a status before anything is answered. */
export function missingScope(served: Served, body: unknown): NeededScope | undefined {
  const allowance = served.allowed()
  if (allowance.scopes === undefined || allowance.scopes.includes('memories:admin')) return undefined
  const missing = [body]
    .flat()
    .map((message) => scopeNeeded(served, message))
    .filter((scope) => !hasScope(allowance, scope))
  return missing.includes('memories:admin') ? 'memories:admin' : missing[0]
}

/** Prepared as it will be when it is carried out. What cannot be prepared is refused then, for what is wrong with it. */
function scopeNeeded(served: Served, message: unknown): NeededScope {
  const { method, params = {} } = Object(message) as { method?: unknown; params?: unknown }
  if (typeof method !== 'string' || !Object.hasOwn(PREPARE, method)) return 'memories:read'
  const prepare: Prepare = PREPARE[method as Method]
  const request = { params, caller: NOBODY, protocol: '', signal: NEVER } as Request<never>
  try {
    return prepare(served, request, NO_SUBSCRIPTIONS).scope
  } catch {
    return 'memories:read'
  }
}

/** For a call that has no words of its own for a refusal. */
function countOrRefuse({ rate }: Served): void {
  try {
    rate?.count()
  } catch (error) {
    throw invalidParams(messageOf(error))
  }
}

const NOBODY: Caller = { sessionId: '', author: '', address: '' }
const NEVER = new AbortController().signal
const NO_SUBSCRIPTIONS: Subscriptions = {
  subscribed: { add: async () => undefined, delete: () => undefined },
  audience: { canSubscribe: () => false },
}

/**
 * The one way from a request to the memory, for one connection: whether the caller may do what it asks for is decided here. What was
 * cancelled counts as running: nobody waits for it, but it runs to its end.
 */
export function createDispatcher(served: Served, subscriptions: Subscriptions): Dispatch {
  const gate = served.rate?.gate ?? createGate(MAX_RUNNING)

  /** What cannot be understood counts too. */
  function prepareCounted<T>(prepare: () => T, method: Method): T {
    try {
      return prepare()
    } catch (error) {
      if (COUNTED.has(method)) countOrRefuse(served)
      throw error
    }
  }

  /** What a client may do can change while its call waits. */
  function runPermitted<R>(call: Call<R>): Promise<R> {
    checkPermitted(call, served.allowed())
    return call.run()
  }

  return async (method, request) => {
    const prepare: Prepare = PREPARE[method]
    const call = prepareCounted(() => prepare(served, request as Request<never>, subscriptions), method)
    try {
      checkPermitted(call, served.allowed())
      if (COUNTED.has(method)) served.rate?.count()
      return await (call.isQuick ? call.run() : gate(() => runPermitted(call), request.signal))
    } catch (error) {
      const shown = shownFailure(served, error)
      if (!call.fail) throw shown
      return call.fail(shown)
    }
  }
}

/** The same failure, as the client may read it. */
function shownFailure({ hidePaths }: Pick<Served, 'hidePaths'>, error: unknown): unknown {
  if (!hidePaths || !isMemoryError(error)) return error
  const { code, problem, detail, hint } = error
  const shown = hidePaths(problem)
  return shown === problem ? error : new MemoryError(code, shown, { detail, hint, cause: error })
}
