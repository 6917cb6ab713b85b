import { type Context, Hono } from 'hono'
import type { HttpConnection } from './connection.ts'
import { isPreflight } from './cors.ts'
import { MCP_PATH } from './endpoint-path.ts'
import { finish } from './finish.ts'
import type { Guard } from './guard.ts'
import type { NativeHandler } from './native.ts'
import type { HtmlPage } from './pages/html-page.ts'
import { pageResponse } from './pages/page-response.ts'
import { problem, UNEXPECTED } from './problem.ts'

/** Answers a request of an MCP client. */
export type McpEndpoint = (request: Request, connection: HttpConnection) => Promise<Response>

export interface AppOptions {
  mcp: McpEndpoint
  guard: Guard
  /** The page for a browser at `/`. Default: the same refusal as for any other client. */
  page?: () => Promise<HtmlPage>
  /** Additional paths. */
  routes?: readonly AppRoute[]
  /** Of the MCP endpoint: see `AppRoute`. */
  mcpCors?: Cors | undefined
  /** Clients reach the server by https only. Default: false. */
  isStrictTransport?: boolean
  /** As an answer names it to a client that has another path. Default: `/mcp`. */
  endpoint?: string
  /** Called with an error that `mcp` threw. The client gets a generic failure. */
  onError?: (error: unknown) => void
}

/** Answers a request; `names` are the parts of the path that the route leaves open. */
export type AppHandler = (
  request: Request,
  connection: HttpConnection,
  names: Readonly<Record<string, string>>,
) => Response | Promise<Response>

/**
 * `any`: web pages of every origin may use the path, but never with credentials of the browser. Only for what asks for a token that
 * a page must have been given. Default: only pages of this server and of configured origins.
 */
export type Cors = 'any'

/** A path such as `/s/:space/mcp`, and its handlers by method. */
export interface MethodRoute {
  path: string
  cors?: Cors | undefined
  methods: Readonly<Record<string, AppHandler>>
}

/** A path, and what answers all of its methods with the objects of Node. */
export interface NativeRoute {
  path: string
  cors?: Cors | undefined
  native: NativeHandler
}

export type AppRoute = MethodRoute | NativeRoute

/** Context that the server adds to each request. */
export interface AppEnv {
  Bindings: {
    connection: HttpConnection
    /** As the request line has it: URLs are tidied, and `/x/../mcp` would be `/mcp`. */
    path?: string
    /** Set by the app: this answers the request, after the headers of the app's response. */
    native?: NativeHandler
  }
  Variables: {
    isForAnyOrigin?: boolean
  }
}
export type App = Hono<AppEnv>

const NATIVE_METHODS = 'GET, POST, PUT, DELETE, OPTIONS'

type Handle = (context: Context<AppEnv>) => Response | Promise<Response>
type Route = ReadonlyMap<string, Handle>

/** The paths of the server, all behind the guard. Paths match exactly: `/mcp/` and `/MCP` do not match. */
export function createApp({
  mcp,
  guard,
  page,
  routes = [],
  mcpCors,
  isStrictTransport = false,
  endpoint = MCP_PATH,
  onError = () => {},
}: AppOptions): App {
  const app: App = new Hono<AppEnv>({ getPath })
  const handle =
    (handler: AppHandler): Handle =>
    (context) =>
      answer(context, handler, onError)
  const ask = handle(mcp)

  // First: Hono runs handlers in the order in which they were added.
  for (const { path } of [{ path: MCP_PATH, cors: mcpCors }, ...routes].filter(({ cors }) => cors === 'any'))
    app.use(path, (context, next) => {
      context.set('isForAnyOrigin', true)
      return next()
    })
  app.use('*', async (context, next) => {
    const request = context.req.raw
    const verdict = guard(request, context.get('isForAnyOrigin'))
    if (verdict.kind === 'allowed') await next()
    else context.res = problem(verdict.status, verdict.message)
    const isNative = context.env?.native !== undefined
    finish(context.res.headers, { request, verdict, isNative }, { isStrictTransport })
  })
  // A person who opens the address that the server prints is sent to the page.
  if (page)
    app.get(MCP_PATH, (context, next) => (isBrowser(context.req.raw) ? context.redirect('/', 303) : next()))
  if (page) app.get('/', (context, next) => (isBrowser(context.req.raw) ? showPage(page, onError) : next()))
  addRoute(app, MCP_PATH, { POST: ask, GET: ask, DELETE: ask })
  addRoute(app, '/', { POST: ask })
  addRoute(app, '/healthz', { GET: sayOk, HEAD: sayOk })
  for (const route of routes) {
    if ('native' in route) app.all(route.path, (context) => handOver(context, route.native, onError))
    else addRoute(app, route.path, mapValues(route.methods, handle))
  }
  app.notFound(() => problem(404, `there is nothing here; the MCP endpoint is ${endpoint}`))
  return app
}

function getPath(request: Request, { env }: { env?: Partial<AppEnv['Bindings']> } = {}): string {
  return env?.path ?? new URL(request.url).pathname
}

function addRoute(app: App, path: string, handlers: Record<string, Handle>): void {
  const route: Route = new Map(Object.entries(handlers))
  const methods = [...route.keys(), 'OPTIONS'].join(', ')
  // Every method, not `app.get`: it would answer HEAD by opening a stream whose body is never read.
  app.all(path, (context) => {
    const handle = route.get(context.req.method)
    if (handle !== undefined) return handle(context)
    if (context.req.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: { allow: methods } })
    const hint = path === MCP_PATH ? '' : `; the MCP endpoint is ${MCP_PATH}`
    return problem(405, `this path takes ${methods}${hint}`, { allow: methods })
  })
}

function mapValues<T, U>(values: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
}

/** Leaves the request to the server, which has Node's objects for it. The response has only the headers. */
function handOver(context: Context<AppEnv>, native: NativeHandler, onError: (error: unknown) => void) {
  // Which pages may ask is decided here for every path.
  if (isPreflight(context.req.raw))
    return new Response(null, { status: 204, headers: { allow: NATIVE_METHODS } })
  context.env.native = async (incoming, outgoing, connection) => {
    try {
      await native(incoming, outgoing, connection)
    } catch (error) {
      // A client that disconnected is not a failure.
      if (!outgoing.destroyed) onError(error)
      throw error
    }
  }
  return new Response(null)
}

async function answer(context: Context<AppEnv>, handler: AppHandler, onError: (error: unknown) => void) {
  const request = context.req.raw
  try {
    return await handler(request, context.env.connection, context.req.param())
  } catch (error) {
    // A client that disconnected is not a failure, and the response is never read.
    if (!request.signal.aborted) onError(error)
    return problem(500, UNEXPECTED)
  }
}

/** Clients of MCP ask for JSON or a stream of events; only a person's browser asks for HTML. */
function isBrowser({ method, headers }: Request): boolean {
  const accepted = (headers.get('accept') ?? '').toLowerCase()
  return method === 'GET' && accepted.includes('text/html') && !accepted.includes('text/event-stream')
}

async function showPage(page: () => Promise<HtmlPage>, onError: (error: unknown) => void): Promise<Response> {
  try {
    return pageResponse(await page(), { headers: { 'referrer-policy': 'no-referrer' } })
  } catch (error) {
    onError(error)
    return problem(500, UNEXPECTED)
  }
}

function sayOk(): Response {
  return new Response('ok', { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
