import { base62Digits, randomBase62 } from '../../util/text/base62.ts'
import { crc32 } from '../../util/text/crc32.ts'

/** An underscore at its end: a double click selects the whole key. Scanners for secrets find keys by it. */
const PREFIX = 'rmdb_pat_'
export const KEY_ID_LENGTH = 8
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(
  `^(${PREFIX}([0-9A-Za-z]{${KEY_ID_LENGTH}})[0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
)

/** The text that the holder of a key sends: `rmdb_pat_`, the key's id, a secret of 190 bits, and a checksum of all that. */
export function createToken(id: string, randomBytes: (count: number) => Uint8Array): string {
  const body = `${PREFIX}${id}${randomBase62(SECRET_LENGTH, randomBytes)}`
  return body + checksumOf(body)
}

/** Whether a text claims to be an API key, however wrong the rest of it is. */
export function looksLikeKey(token: string): boolean {
  return token.startsWith(PREFIX)
}

/** The id of the key that a token belongs to; undefined for a text that cannot be a token. */
export function keyIdOf(token: string): string | undefined {
  const [, body = '', id, checksum] = SHAPE.exec(token) ?? []
  return id !== undefined && checksumOf(body) === checksum ? id : undefined
}

function checksumOf(body: string): string {
  return base62Digits(crc32(body), CHECKSUM_LENGTH)
}
