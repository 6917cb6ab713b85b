import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { MemoryError } from '../core/errors.ts'
import { quoted } from './problem.ts'

/** Where to listen. An IPv6 host is without its brackets; port 0 is any that is free. */
export interface ListenAddress {
  host: string
  port: number
}

/** Every address that a name has. Throws as `dns.lookup` does. */
export type FindAddresses = (name: string) => Promise<readonly string[]>

const EXAMPLE = '127.0.0.1:7474'
const MAX_PORT = 65_535
const FORM = /^(?<host>\[[^\]]*\]|[^:[\]]*):(?<port>\d{1,5})$/
const NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** `127.0.0.1:7474`, `[::1]:7474` or `localhost:7474`. Throws INVALID_INPUT with the expected form. */
export function parseListenAddress(text: string): ListenAddress {
  const { host = '', port = '' } = FORM.exec(text)?.groups ?? {}
  if (port === '') throw unusable(text, hintFor(text))
  if (host === '') throw unusable(text, `name the address too: "127.0.0.1:${port}"`)
  if (Number(port) > MAX_PORT) throw unusable(text, `a port is a number from 0 to ${MAX_PORT}`)
  return { host: hostOf(text, host), port: Number(port) }
}

function hostOf(text: string, host: string): string {
  if (!host.startsWith('[')) {
    if (!isIPv4(host) && !NAME.test(host)) throw unusable(text, `write an address and a port: "${EXAMPLE}"`)
    return host.toLowerCase()
  }
  const inner = host.slice(1, -1)
  if (!isIPv6(inner) || inner.includes('%')) throw unusable(text, 'write an IPv6 address as in "[::1]:7474"')
  // One spelling: it is compared with the Host of requests.
  return new URL(`http://${host}`).hostname.slice(1, -1)
}

function hintFor(text: string): string {
  if (/^[a-z]+:\/\//i.test(text)) return `leave out the scheme and the path: "${EXAMPLE}"`
  if (/^\d+$/.test(text)) return `name the address too: "127.0.0.1:${text}"`
  if (isIPv6(text) || text.split(':').length > 2) return 'write an IPv6 address in brackets: "[::1]:7474"'
  return `write an address and a port: "${EXAMPLE}"`
}

function unusable(text: string, hint: string): MemoryError {
  return new MemoryError('INVALID_INPUT', `cannot listen on ${quoted(text)}: ${hint}`)
}

/** Whether an IP address can be reached from this machine only. A name is none: see `resolveAddress`. */
export function isLoopback(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && LOOPBACK.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** As in a URL and in `Host`. */
export function showAddress({ host, port }: ListenAddress): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`
}

export interface ResolveOptions {
  /** Clients are authenticated, so other machines may reach the server. Default: only this one may. */
  isPublic?: boolean | undefined
  findAddresses?: FindAddresses
}

/**
 * The IP address to bind: a name is resolved once, here, so that the checked address is the bound one. Throws FORBIDDEN for
 * an address that other machines can reach if clients are not authenticated.
 */
export async function resolveAddress(
  address: ListenAddress,
  { isPublic = false, findAddresses = findAllAddresses }: ResolveOptions = {},
): Promise<string> {
  const { host } = address
  const addresses = isIP(host) ? [host] : await lookUp(address, findAddresses)
  if (!isPublic && !addresses.every(isLoopback)) {
    throw new MemoryError(
      'FORBIDDEN',
      `${showAddress(address)} is reachable from other machines, and clients would not be authenticated; ` +
        `listen on 127.0.0.1:${address.port}, perhaps behind a reverse proxy that authenticates, or serve a folder of spaces with --auth keys`,
    )
  }
  // Both families resolve to this machine; clients that try only one try IPv4.
  return addresses.find(isIPv4) ?? (addresses[0] as string)
}

/** The check a server makes when it starts, without resolving a name: its address may change until then. */
export async function checkListenAddress(text: string): Promise<void> {
  const address = parseListenAddress(text)
  if (isIP(address.host)) await resolveAddress(address)
}

async function lookUp(address: ListenAddress, findAddresses: FindAddresses): Promise<readonly string[]> {
  const addresses = await findAddresses(address.host).catch((cause) => {
    throw unknownName(address, cause)
  })
  if (addresses.length === 0) throw unknownName(address)
  return addresses
}

function unknownName(address: ListenAddress, cause?: unknown): MemoryError {
  const message = `cannot listen on ${showAddress(address)}: this machine knows no address of that name; write "127.0.0.1:${address.port}"`
  return new MemoryError('INVALID_INPUT', message, { cause })
}

async function findAllAddresses(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address)
}
