/** Child of `bench/serve.ts`: opens connections, asks once over each, and counts those that stay. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const [url = '', count = '0'] = process.argv.slice(2)
const { hostname, port, host } = new URL(url)
const BATCH = 200
const IDLE_MS = 30_000
const sockets: Socket[] = []
const closed = new Set<Socket>()

for (let at = 0; at < Number(count); at += BATCH)
  await Promise.all(Array.from({ length: Math.min(BATCH, Number(count) - at) }, open))
process.stdout.write(`${sockets.length}\n`)
await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
process.stdout.write(`${sockets.length - closed.size}\n`)
process.exit()

async function open(): Promise<void> {
  const socket = connect(Number(port), hostname)
  socket.on('close', () => closed.add(socket))
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  await once(socket, 'data')
  sockets.push(socket)
}
