/** Where a client wants the answer. */
export interface RedirectTarget {
  /** With its port, as URLs have it. */
  host: string
  /** Whether it is this computer, where any program may listen. */
  isLoopback: boolean
  /** Of an address that an app opens, such as `cursor`. */
  scheme?: string | undefined
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Throws for what is no URL. */
export function redirectTarget(uri: string): RedirectTarget {
  const { protocol, host, hostname } = new URL(uri)
  const isWeb = ['http:', 'https:'].includes(protocol)
  const isLoopback = isWeb && LOOPBACK.test(hostname)
  return isWeb ? { host, isLoopback } : { host, isLoopback, scheme: protocol.slice(0, -1) }
}
