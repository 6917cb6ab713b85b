/** Where a client wants the answer. */
export interface RedirectTarget {
  /** With its port, as URLs have it. Of an app, what its links begin with: `cursor://anysphere.cursor-mcp`. */
  host: string
  /** Whether it is this computer, where any program may listen. */
  isLoopback: boolean
  /** Whether an app opens it, not a browser. */
  isApp?: boolean | undefined
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Throws for what is no URL. */
export function redirectTarget(uri: string): RedirectTarget {
  const { protocol, host, hostname } = new URL(uri)
  if (!['http:', 'https:'].includes(protocol))
    return { host: host === '' ? protocol : `${protocol}//${host}`, isLoopback: false, isApp: true }
  return { host, isLoopback: LOOPBACK.test(hostname) }
}
