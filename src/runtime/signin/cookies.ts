/** A cookie that scripts and other sites cannot use. */
export interface CookieOptions {
  /** Over HTTPS only, and then for this host alone. */
  isSecure: boolean
  /** Default: until the browser closes. */
  maxAgeS?: number
}

/** Browsers accept a name with this prefix from this host only, over HTTPS. */
const HOST_PREFIX = '__Host-'

export function readCookie(request: Request, name: string, isSecure: boolean): string | undefined {
  const wanted = cookieName(name, isSecure)
  const pairs = (request.headers.get('cookie') ?? '').split(/; */).map((pair) => pair.split('='))
  return pairs.find(([given]) => given === wanted)?.[1]
}

/** The value of `Set-Cookie`. The value must not need quoting. */
export function cookieHeader(name: string, value: string, { isSecure, maxAgeS }: CookieOptions): string {
  const parts = [`${cookieName(name, isSecure)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax']
  if (isSecure) parts.push('Secure')
  if (maxAgeS !== undefined) parts.push(`Max-Age=${maxAgeS}`)
  return parts.join('; ')
}

function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `${HOST_PREFIX}${name}` : name
}
