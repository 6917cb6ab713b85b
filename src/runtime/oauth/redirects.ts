import { errors } from 'oidc-provider'

const MAX_URIS = 20
const MAX_LENGTH = 2000

/** Beyond what the provider checks: none that a browser runs, and no more than a client needs. */
export function checkRedirects(uris: unknown): void {
  const isList = Array.isArray(uris) && uris.length <= MAX_URIS
  if (!isList || !uris.every((uri) => typeof uri === 'string' && uri.length <= MAX_LENGTH && isSafe(uri)))
    throw new errors.InvalidRedirectUri()
}

const RUN_BY_BROWSERS = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'filesystem:']

function isSafe(uri: string): boolean {
  const url = URL.parse(uri)
  return url !== null && !RUN_BY_BROWSERS.includes(url.protocol)
}
