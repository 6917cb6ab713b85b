/**
 * A process of its own: one client that asks as fast as it is answered, over many connections. It writes to sockets what was made before
 * and looks at no answer beyond its status, so that most of what it costs is the server's.
 */
import { connect, type Socket } from 'node:net'
import { setPriority } from 'node:os'
import { type Abuse, abusiveCalls, marked, wireRequest } from './requests.ts'

export interface AbuseOrder {
  url: string
  key: string
  abuse: Abuse
  connections: number
}

export interface AbuseReport {
  /** How often each status was answered, and how often a call was an error. */
  answers: Record<string, number>
  processorMs: number
}

/** Other clients would not share its cores with the server. */
const LOWEST_PRIORITY = 19

let stop = (): AbuseReport => ({ answers: {}, processorMs: 0 })

process.on('message', (order: AbuseOrder | 'stop') => {
  if (order === 'stop') process.send?.(stop())
  else stop = abuse(order)
})

function abuse({ url, key, abuse, connections }: AbuseOrder): () => AbuseReport {
  setPriority(LOWEST_PRIORITY)
  const requests = abusiveCalls(abuse).map((call) => wireRequest(url, key, call))
  const answers: Record<string, number> = {}
  const before = process.cpuUsage()
  let at = Date.now() % 500_000_000
  let isOver = false
  const next = (): Buffer => marked(requests[++at % requests.length] as Buffer, at)
  const open = (): Socket => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const read = createAnswerReader((status) => {
      answers[status] = (answers[status] ?? 0) + 1
      if (!isOver) socket.write(next())
    })
    socket.on('data', read)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (!isOver) sockets.add(open())
      sockets.delete(socket)
    })
    socket.write(next())
    return socket
  }
  const sockets = new Set<Socket>()
  for (let count = 0; count < connections; count++) sockets.add(open())
  return () => {
    isOver = true
    for (const socket of sockets) socket.destroy()
    const { user, system } = process.cpuUsage(before)
    return { answers, processorMs: (user + system) / 1000 }
  }
}

const END_OF_HEADERS = Buffer.from('\r\n\r\n')
const END_OF_CHUNKS = Buffer.from('0\r\n\r\n')

/** Calls `onAnswer` with the status of each answer that has come whole. */
function createAnswerReader(onAnswer: (status: string) => void): (piece: Buffer) => void {
  let received: Buffer = Buffer.alloc(0)
  return (piece) => {
    received = received.length === 0 ? piece : Buffer.concat([received, piece])
    const head = received.indexOf(END_OF_HEADERS)
    if (head < 0) return
    const headers = received.toString('latin1', 0, head).toLowerCase()
    const length = /content-length: (\d+)/.exec(headers)?.[1]
    const isWhole =
      length === undefined
        ? received.subarray(-END_OF_CHUNKS.length).equals(END_OF_CHUNKS)
        : received.length >= head + END_OF_HEADERS.length + Number(length)
    if (!isWhole) return
    const isError = received.includes('"isError":true')
    received = Buffer.alloc(0)
    onAnswer(`${headers.slice(9, 12)}${isError ? ' isError' : ''}`)
  }
}
