/** Bytes, or why a text is not Base64 (RFC 4648, with padding). */
export type DecodedBase64 = { bytes: Uint8Array } | { refused: string }

export function decodeBase64(text: string): DecodedBase64 {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    return { refused: 'it has characters other than A-Z a-z 0-9 + / and = at its end' }
  if (text.length % 4 !== 0) return { refused: 'its length is not a multiple of four; pad it with =' }
  return { bytes: Buffer.from(text, 'base64') }
}

/** How many bytes a text decodes to, without decoding it. */
export function decodedLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding)
}

export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

export function encodeBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url')
}

/** Ignores what is not Base64. */
export function decodeBase64Url(text: string): Uint8Array {
  return Buffer.from(text, 'base64url')
}

/** A value as a URL-safe token. */
export function encodeToken(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Undefined: not one of our tokens. */
export function decodeToken(token: string): unknown {
  if (!/^[A-Za-z0-9_-]*$/.test(token)) return undefined
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString())
  } catch {
    return undefined
  }
}
