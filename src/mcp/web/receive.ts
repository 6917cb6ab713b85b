import { isJsonContentType } from '@modelcontextprotocol/server'
import { shapeOf } from '../../util/text/json-shape.ts'
import type { BodyReader, ReadBody } from './read-body.ts'
import { refusal } from './refusal.ts'

export type Received = { kind: 'refused'; response: Response } | { kind: 'received'; body: unknown }

/** Nothing that a client has to say has more of it. The SDK looks at each part several times, and at nothing else meanwhile. */
const MOST = { depth: 100, parts: 10_000 }
const METHODS = ['GET', 'POST', 'DELETE']

/** Reads what a request says, once: everybody after this gets the value. Undefined where the method has no body. */
export async function receive(
  request: Request,
  { bodies, maxBodyBytes }: { bodies: BodyReader; maxBodyBytes: number },
): Promise<Received> {
  if (!METHODS.includes(request.method)) return refused(notAllowed(request.method))
  if (request.method !== 'POST') return { kind: 'received', body: undefined }
  if (!isJsonContentType(request.headers.get('content-type')))
    return refused(refusal('mediaType', 'a message must be JSON; say content-type: application/json'))
  if ((request.headers.get('content-encoding') ?? 'identity') !== 'identity')
    return refused(refusal('mediaType', 'a message must not be compressed; leave out content-encoding'))
  const read = await bodies.read(request)
  if (read.kind !== 'text') return refused(unread(read.kind, maxBodyBytes))
  const shape = shapeOf(read.text, MOST)
  if (shape.depth > MOST.depth)
    return refused(
      refusal('unreadable', `the body is nested deeper than ${MOST.depth} levels; send it flatter`),
    )
  if (shape.parts > MOST.parts)
    return refused(refusal('unreadable', `the body has more than ${MOST.parts} parts; send less at once`))
  try {
    return { kind: 'received', body: JSON.parse(read.text) }
  } catch {
    return refused(refusal('unreadable', 'the body is not valid JSON'))
  }
}

function refused(response: Response): Received {
  return { kind: 'refused', response }
}

function notAllowed(method: string): Response {
  const headers = { allow: METHODS.join(', ') }
  // Nobody may answer a HEAD with a body.
  if (method === 'HEAD') return new Response(null, { status: 405, headers })
  return refusal('method', `the method is not allowed; use ${METHODS.join(', ')}`, { headers })
}

/** Why a body was not read to its end. */
function unread(kind: Exclude<ReadBody['kind'], 'text'>, maxBodyBytes: number): Response {
  switch (kind) {
    case 'tooLarge':
      return refusal(
        'tooLarge',
        `the body is larger than ${maxBodyBytes} bytes; send less, or raise server.http.max_body_size`,
      )
    case 'crowded':
      return refusal('unavailable', 'too many large bodies are being read; send it again in a moment')
    case 'crumbs':
      return refusal('unreadable', 'the body comes in pieces that are too small; send it in one')
    case 'broken':
      return refusal('unreadable', 'the request ended before its body did; send it again')
  }
}
