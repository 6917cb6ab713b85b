import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Accounts } from '../../core/accounts/accounts.ts'

/** A JSON web key. Access tokens are not signed: the protocol wants a key, and clients may ask for signed answers. */
export function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return JSON.stringify({ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' })
}

/** For cookies and forms. */
export function newKey(): string {
  return randomBytes(32).toString('base64url')
}

/** Replaces the keys of a server, while it runs: what older ones signed is accepted for 30 days. */
export async function rotateKeys({ secrets }: Accounts): Promise<void> {
  await secrets.rotate('signing', newSigningKey)
  await secrets.rotate('cookies', newKey)
}
