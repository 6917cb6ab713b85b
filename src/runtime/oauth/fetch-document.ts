import { lookup } from 'node:dns'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Gets a metadata document over HTTPS. Redirects are not followed. */
export type FetchDocument = (url: string, signal?: AbortSignal) => Promise<Response>

/** A few fields of text. */
const MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 2500

export interface FetchParts {
  /** What addresses a name has. Default: what the system says. */
  resolve?: typeof lookup
  /** Whether an address may be connected to. Default: if it is public. */
  isAllowed?: (address: string) => boolean
  /** Certificates to trust, in place of the usual ones. */
  ca?: string
}

/** Gets documents of the web. */
export const fetchDocument: FetchDocument = async (url, signal) => {
  const { protocol, port, username, password } = new URL(url)
  // Other ports are for other things than web pages, and nobody should find out here which are open.
  if (protocol !== 'https:' || port !== '' || username !== '' || password !== '')
    throw new Error('the URL is not one of a public document')
  return fetchPublic(url, signal)
}

/**
 * Anybody can make the server ask for a URL, by claiming to be the client with that metadata document. So an address that is not
 * public is never connected to: each address is checked when the connection is made, so a name cannot change what it means in between.
 */
export function createFetchDocument({
  resolve = lookup,
  isAllowed = isPublicAddress,
  ca,
}: FetchParts = {}): FetchDocument {
  const checkedLookup = createLookup(resolve, isAllowed)
  return async (url, signal) => {
    // No name is looked up for an address.
    const literal = new URL(url).hostname.replace(/^\[|\]$/g, '')
    if (isIP(literal) !== 0 && !isAllowed(literal)) throw notPublic()
    const limits = [AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]
    const sent = request(url, {
      agent: false,
      lookup: checkedLookup,
      signal: AbortSignal.any(limits),
      headers: { accept: 'application/json', 'user-agent': 'remindb' },
      ...(ca === undefined ? {} : { ca }),
    })
    // Errors after the answer began are those of the answer.
    sent.on('error', () => undefined)
    try {
      const answered = once(sent, 'response')
      sent.end()
      const [answer] = (await answered) as [IncomingMessage]
      return await responseOf(answer)
    } finally {
      sent.destroy()
    }
  }
}

const fetchPublic = createFetchDocument()

function notPublic(): Error {
  return new Error('the address is not public')
}

async function responseOf(answer: IncomingMessage): Promise<Response> {
  const { statusCode: status = 500 } = answer
  const headers = pickHeaders(answer.headers)
  if (status !== 200) return new Response(null, { status: responseStatus(status), headers })
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > MAX_BYTES) throw new Error(`the document has more than ${MAX_BYTES} bytes`)
    pieces.push(piece)
  }
  return new Response(Buffer.concat(pieces), { headers })
}

/** `Response` has no 1xx. */
function responseStatus(status: number): number {
  return status >= 200 && status <= 599 ? status : 502
}

function pickHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const wanted = ['content-type', 'cache-control', 'expires']
  return Object.fromEntries(
    wanted.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  )
}

/** Resolves to allowed addresses only; fails where one of them is not. */
function createLookup(resolve: typeof lookup, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => isAllowed(address))) return callback(notPublic(), '', 0)
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
    })
  }
}

const RESERVED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** The only part of IPv6 that is routed, without what in it stands for IPv4 or is for examples. */
const ROUTED_IPV6 = '2000::/3'
const RESERVED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '5f00::/16']

const reserved = blockList([...RESERVED_IPV4, ...RESERVED_IPV6])
const routed = blockList([ROUTED_IPV6])

export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !reserved.check(address)
  return family === 6 && routed.check(address, 'ipv6') && !reserved.check(address, 'ipv6')
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}
