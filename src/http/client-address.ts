import { createNetworks, plainAddress } from './networks.ts'

/** The address of a client, given that of the other end of the connection and `X-Forwarded-For` as it came. */
export type ClientAddress = (peer: string, forwardedFor: string | undefined) => string

/**
 * Each proxy appends the address that it was called from, so only the end of the list can be relied on: from there backwards,
 * as far as the proxies are known. What stands before that is what somebody claims. An entry that is no address ends the list.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = createNetworks(trustedProxies)
  return (peer, forwardedFor = '') => {
    let address = plainAddress(peer)
    if (address === undefined) return peer
    let rest = forwardedFor
    while (rest !== '' && isTrusted(address)) {
      const comma = rest.lastIndexOf(',')
      const before = addressIn(rest.slice(comma + 1).trim())
      if (before === undefined) break
      address = before
      rest = comma === -1 ? '' : rest.slice(0, comma)
    }
    return address
  }
}

/** Some proxies add a port, and then IPv6 has brackets. */
function addressIn(entry: string): string | undefined {
  const { v6, v4 } = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+))(?::\d+)?$/.exec(entry)?.groups ?? {}
  return plainAddress(v6 ?? v4 ?? entry)
}
