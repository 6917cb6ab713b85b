import { encodeBase64 } from '../../util/text/base64.ts'

/**
 * Bytes in Base64, without the secrets of the text that they are. Bytes that are no text stay as they are: whatever in their
 * Base64 looks like a secret is none, and without it they would be something else.
 */
export async function redactBytes(
  redact: (text: string) => Promise<string>,
  bytes: Uint8Array,
): Promise<string> {
  const text = textOf(bytes)
  const redacted = text === undefined ? undefined : await redact(text)
  return encodeBase64(
    redacted === undefined || redacted === text ? bytes : new TextEncoder().encode(redacted),
  )
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
