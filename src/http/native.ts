import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpConnection } from './connection.ts'
import { problem, UNEXPECTED } from './problem.ts'
import { clientReads, type RespondOptions, respond } from './respond.ts'

/**
 * Answers a request with the objects of Node, such as the callback of a Koa app. The body is unread: it limits itself what it
 * takes of it. May resolve before all is written, but not long before.
 */
export type NativeHandler = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  connection: HttpConnection,
) => void | Promise<void>

/** Headers from which a framework would derive the server's name and the client's address. They are removed: anybody can send them. */
const FORWARDED = /^(forwarded|x-forwarded-.*|x-real-ip)$/

export interface NativeRequest {
  incoming: IncomingMessage
  outgoing: ServerResponse
  connection: HttpConnection
  /** Of every response; the handler may replace them. */
  headers: Headers
}

/**
 * Lets `handler` answer. Resolves when its answer was handed over, or the client disconnected. If it throws, the client gets a
 * generic failure, or is cut off in the middle of an answer; the error is the caller's to report.
 */
export async function answerNatively(
  handler: NativeHandler,
  { incoming, outgoing, connection, headers }: NativeRequest,
  options: RespondOptions,
): Promise<void> {
  if (outgoing.destroyed) return
  for (const name of Object.keys(incoming.headers)) if (FORWARDED.test(name)) delete incoming.headers[name]
  outgoing.setHeaders(headers)
  if (options.isLast) outgoing.shouldKeepAlive = false
  try {
    await handler(incoming, outgoing, connection)
  } catch {
    await fail(outgoing, headers, options)
    return
  }
  if (!outgoing.writableFinished) await clientReads(outgoing, 'finish', options.stallTimeoutMs)
}

async function fail(outgoing: ServerResponse, headers: Headers, options: RespondOptions): Promise<void> {
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  // What the handler set belongs to an answer that is not given.
  for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name)
  outgoing.setHeaders(headers)
  await respond(problem(500, UNEXPECTED), outgoing, options)
}
