/** The schemes that resources have, each of which can be served or not. */
export const SCHEMES = ['remindb', 'memory'] as const
export type Scheme = (typeof SCHEMES)[number]

/** Undefined: none of ours. */
export function schemeOf(uri: string): Scheme | undefined {
  return SCHEMES.find((scheme) => uri.startsWith(`${scheme}://`))
}
