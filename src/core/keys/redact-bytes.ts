import { encodeBase64 } from '../../util/text/base64.ts'

/**
 * Redacts bytes in Base64 that are a text. Other bytes stay as they are: their Base64 may look like a secret by
 * accident, and replacing it would corrupt them.
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
