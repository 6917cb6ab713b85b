/** The schemes that resources have, each of which can be served or not. */
export const SCHEMES = ['remindb', 'memory'] as const
export type Scheme = (typeof SCHEMES)[number]

/** Whether a URI, or a template of one, has one of these schemes. */
export function isServed(schemes: readonly Scheme[], uri: string): boolean {
  return schemes.some((scheme) => uri.startsWith(`${scheme}://`))
}
