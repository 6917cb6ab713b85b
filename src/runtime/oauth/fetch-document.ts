import { lookup as resolve } from 'node:dns'
import { request } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Gets a metadata document over HTTPS. Redirects are not followed. */
export type FetchDocument = (url: string, signal?: AbortSignal) => Promise<Response>

/** A few fields of text. */
const MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 2500

/**
 * Anybody can make the server ask for a URL, by claiming to be the client with that metadata document. So an address that is not public is
 * never connected to: each address is checked when the connection is made, so a name cannot change what it means in between.
 */
export const fetchDocument: FetchDocument = (url, signal) =>
  new Promise((done, fail) => {
    const { hostname } = new URL(url)
    const literal = hostname.replace(/^\[|\]$/g, '')
    if (isIP(literal) !== 0 && !isPublicAddress(literal)) return fail(new Error('the address is not public'))
    const limits = [AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]
    const sent = request(
      url,
      {
        agent: false,
        lookup: publicLookup,
        signal: AbortSignal.any(limits),
        headers: { accept: 'application/json', 'user-agent': 'remindb' },
      },
      async (answer) => {
        try {
          const pieces: Buffer[] = []
          let size = 0
          for await (const piece of answer as AsyncIterable<Buffer>) {
            size += piece.length
            if (size > MAX_BYTES) throw new Error(`the document has more than ${MAX_BYTES} bytes`)
            pieces.push(piece)
          }
          const status = answer.statusCode ?? 500
          const headers = pickHeaders(answer.headers)
          done(
            new Response(status === 200 ? Buffer.concat(pieces) : null, {
              status: responseStatus(status),
              headers,
            }),
          )
        } catch (error) {
          sent.destroy()
          fail(error)
        }
      },
    )
    sent.on('error', fail)
    sent.end()
  })

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

/** Resolves to public addresses only; fails where one of them is not. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0)
    if (!addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new Error('the address is not public'), '', 0)
    if (options.all) return callback(null, addresses)
    const [first] = addresses
    return first ? callback(null, first.address, first.family) : callback(new Error('no address'), '', 0)
  })
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
