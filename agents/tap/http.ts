import { appendFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { gather, type Listening, listenOnLoopback } from '../loopback.ts'
import type { TapEntry } from './traffic.ts'

/** Stands between a program and a server over HTTP. What a POST asks is answered in its response, so each is a channel. */
export async function tapHttp(target: string, log: string): Promise<Listening> {
  let posts = 0
  return listenOnLoopback(
    createServer((incoming, outgoing) => {
      posts += 1
      const passage = { target, log, channel: `post ${posts}` }
      forward(incoming, outgoing, passage).catch(() => outgoing.destroy())
    }),
  )
}

interface Passage {
  target: string
  log: string
  channel: string
}

async function forward(incoming: IncomingMessage, outgoing: ServerResponse, passage: Passage): Promise<void> {
  const { target, channel, log } = passage
  const asked = await gather(incoming)
  note({ log, channel, from: 'program' }, asked.toString('utf8'))
  const { host: _host, ...headers } = incoming.headers
  const { method = 'GET', url = '/' } = incoming
  const onward = request(new URL(url, target), { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    // A connection that ends early ends on both sides.
    relay(answer, outgoing, passage).catch(() => outgoing.destroy())
  })
  onward.on('error', () => outgoing.destroy())
  outgoing.on('close', () => onward.destroy())
  onward.end(asked)
}

/** Logs each message before its last byte is passed on. */
async function relay(answer: IncomingMessage, outgoing: ServerResponse, { log, channel }: Passage) {
  const isStream = answer.headers['content-type']?.startsWith('text/event-stream') ?? false
  let text = ''
  answer.setEncoding('utf8')
  for await (const piece of answer as AsyncIterable<string>) {
    text += piece
    if (isStream) {
      const end = text.lastIndexOf('\n\n') + 1
      note({ log, channel, from: 'server' }, dataOf(text.slice(0, end)))
      text = text.slice(end)
      outgoing.write(piece)
    }
  }
  note({ log, channel, from: 'server' }, isStream ? dataOf(text) : text)
  outgoing.end(isStream ? undefined : text)
}

const dataOf = (events: string): string =>
  events
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length)] : []))
    .join('\n')

function note({ log, ...entry }: { log: string } & Omit<TapEntry, 'message'>, text: string): void {
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    try {
      appendFileSync(log, `${JSON.stringify({ ...entry, message: JSON.parse(line) })}\n`)
    } catch {
      // Not a message of MCP: a refusal of HTTP in plain words.
    }
  }
}
