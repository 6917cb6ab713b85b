/** Child of `bench/serve.ts`. The floor of a request: our own HTTP stack with a tool and a resource that do nothing. */
import { createApp } from '../../src/http/app.ts'
import { createGuard } from '../../src/http/guard.ts'
import { openHttpServer } from '../../src/http/server.ts'
import { createWebEndpoint } from '../../src/mcp/web/endpoint.ts'
import { setIdleTimer } from '../../src/runtime/timing/timer.ts'
import { nothingServed } from './nothing.ts'

const { fetch } = createWebEndpoint({
  ...(await nothingServed('http')),
  limits: { maxBodyBytes: 4_000_000, maxSessions: 10, maxStreams: 10 },
  sessionExpiryMs: 60_000,
  setTimer: setIdleTimer,
  drainMs: 5000,
})
const guard = createGuard({ listenHost: '127.0.0.1' })
const server = await openHttpServer({
  app: createApp({ mcp: fetch, guard }),
  address: { host: '127.0.0.1', port: 0 },
})
process.stdout.write(`${server.url}/mcp\n`)
process.stdin.on('end', () => process.exit()).resume()
