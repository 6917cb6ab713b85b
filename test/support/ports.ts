import { createServer } from 'node:net'

/** Below the ports that systems give to connections. */
const FIRST = 20_000
const COUNT = 10_000

/** A free port that the system gives to nobody by itself: it is still free when a server is started again. */
export async function lastingPort(): Promise<number> {
  for (let at = 0; at < COUNT; at++) {
    const port = FIRST + ((process.pid + at) % COUNT)
    if (await isFree(port)) return port
  }
  throw new Error(`no port from ${FIRST} to ${FIRST + COUNT - 1} is free`)
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
