import { appendFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { gather, type Listening, listenOnLoopback } from '../loopback.ts'
import { anthropic } from './anthropic.ts'
import { chat } from './chat.ts'
import {
  type Api,
  type HttpReply,
  type ModelReply,
  type ModelRequest,
  objectOf,
  sendJson,
} from './conversation.ts'
import { gemini } from './gemini.ts'
import { responses } from './responses.ts'

const APIS: readonly Api[] = [anthropic, responses, chat, gemini]

export interface ScriptedModel {
  /** What the model answers to a request. */
  answer(request: ModelRequest): Promise<ModelReply>
  /** Every request is added to this file, a line each. */
  log: string
}

/** A model on loopback that answers in the API it is asked in. */
export function serveModel(model: ScriptedModel): Promise<Listening> {
  return listenOnLoopback(
    createServer(async (incoming, outgoing) => {
      const reply = await replyTo(incoming, model)
      outgoing.writeHead(reply ? 200 : 404, { 'content-type': reply?.type ?? 'application/json' })
      outgoing.end(reply?.body ?? '{"error":{"message":"not found"}}')
    }),
  )
}

async function replyTo(
  incoming: IncomingMessage,
  { answer, log }: ScriptedModel,
): Promise<HttpReply | undefined> {
  const path = new URL(incoming.url ?? '/', 'http://model').pathname
  const body = parse((await gather(incoming)).toString('utf8'))
  const api = APIS.find(({ isRequest }) => isRequest(path))
  const line = { method: incoming.method, path, headers: incoming.headers, body }
  appendFileSync(log, `${JSON.stringify(line)}\n`)
  if (api && incoming.method === 'POST') return api.reply(await answer(api.read(body)), { path, body })
  return beside(path)
}

/** What programs ask besides: how many tokens a prompt has, and which models there are. */
function beside(path: string): HttpReply | undefined {
  if (path.endsWith('/count_tokens')) return sendJson({ input_tokens: 100 })
  if (path.endsWith(':countTokens')) return sendJson({ totalTokens: 100 })
  if (path.endsWith('/models')) return sendJson({ object: 'list', data: [] })
  return undefined
}

function parse(text: string) {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return {}
  }
}
