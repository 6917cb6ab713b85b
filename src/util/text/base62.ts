const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 64 bits as 11 characters, most significant first, padded with `0`. */
export function base62(value: bigint): string {
  // Two halves in ordinary numbers: dividing a bigint eleven times costs far more. 62^5 < 2^30, 62^6 < 2^36.
  let low = Number(value % 916_132_832n)
  let high = Number(value / 916_132_832n)
  const digits = new Array<string>(11)
  for (let i = 10; i >= 6; i--) {
    digits[i] = ALPHABET[low % 62] as string
    low = Math.floor(low / 62)
  }
  for (let i = 5; i >= 0; i--) {
    digits[i] = ALPHABET[high % 62] as string
    high = Math.floor(high / 62)
  }
  return digits.join('')
}

/** A whole number below 2^53 as this many characters, padded with `0`. */
export function base62Digits(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = ALPHABET[rest % 62] + text
  return text
}

/** Above the largest multiple of 62 that a byte holds: these would make some characters more likely than others. */
const UNEVEN = 248

/** Each character is as likely as any other. */
export function randomBase62(length: number, randomBytes: (count: number) => Uint8Array): string {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length - text.length)) if (byte < UNEVEN) text += ALPHABET[byte % 62]
  return text
}
