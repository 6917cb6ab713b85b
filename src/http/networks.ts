import { BlockList, isIP, SocketAddress } from 'node:net'

/** All addresses that begin with the same bits. */
export interface Network {
  address: string
  family: 'ipv4' | 'ipv6'
  /** How many bits. */
  prefix: number
}

const BITS = { ipv4: 32, ipv6: 128 }
/** `::ffff:192.0.2.1` is how a socket of IPv6 shows an address of IPv4. */
const MAPPED = /^::ffff:(?<v4>\d+\.\d+\.\d+\.\d+)$/
const MAPPED_BITS = 96

/** An IP address in its one spelling, that of IPv4 where it is one. Undefined: the text is no address. */
export function plainAddress(text: string): string | undefined {
  if (isIP(text) === 4) return text
  // A zone names an interface of one machine.
  if (isIP(text) === 0 || text.includes('%')) return undefined
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  return MAPPED.exec(address)?.groups?.v4 ?? address
}

/** `192.0.2.1`, `10.0.0.0/8` or `2001:db8::/32`. Undefined: the text is neither an address nor a network. */
export function parseNetwork(text: string): Network | undefined {
  const [, spelled = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = plainAddress(spelled)
  if (address === undefined) return undefined
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  const isMapped = family === 'ipv4' && isIP(spelled) === 6
  const prefix = bits === undefined ? BITS[family] : Number(bits) - (isMapped ? MAPPED_BITS : 0)
  return prefix >= 0 && prefix <= BITS[family] ? { address, family, prefix } : undefined
}

const IPV6_GROUPS = 8

/**
 * What one customer of a provider has, for limits: an address of IPv4, or all addresses of IPv6 with the same first 64 bits, of
 * which one machine can use any. Takes an address as `plainAddress` has it.
 */
export function customerOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(0, IPV6_GROUPS - before.length - after.length)).fill('0')
  return `${[...before, ...zeros, ...after].slice(0, IPV6_GROUPS / 2).join(':')}::/64`
}

/** Whether an address, as `plainAddress` has it, is in one of the networks. Texts that are none are left out. */
export function createNetworks(texts: readonly string[]): (address: string) => boolean {
  const single = new Set<string>()
  const list = new BlockList()
  for (const network of texts.map(parseNetwork)) {
    if (network === undefined) continue
    if (network.prefix === BITS[network.family]) single.add(network.address)
    else list.addSubnet(network.address, network.prefix, network.family)
  }
  const hasNetworks = list.rules.length > 0
  return (address) =>
    single.has(address) || (hasNetworks && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6'))
}
