import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import { MemoryError } from '../core/errors.ts'
import { hasCode } from '../util/error-code.ts'

/** Paths of files in PEM form. */
export interface CertificateFiles {
  /** The certificate of the server, followed by those that certify it. */
  cert: string
  /** Its private key. */
  key: string
}

interface SecureOptions {
  cert: Buffer
  key: Buffer
  minVersion: 'TLSv1.2'
}

/** A certificate and its key, checked: a server can use them. */
export interface Certificate {
  /** For a listener. */
  options: SecureOptions
  /** Unix milliseconds. */
  validUntil: number
  /** Whether it is for this name or IP address. */
  isFor(host: string): boolean
}

const BEGIN = '-----BEGIN CERTIFICATE-----'

/** Throws NOT_FOUND, FORBIDDEN or INVALID_INPUT with what is wrong with the files, and what to do. */
export async function readCertificate(files: CertificateFiles, now: number): Promise<Certificate> {
  const [cert, key] = await Promise.all([read(files.cert, '--tls-cert'), read(files.key, '--tls-key')])
  const parsed = parseCertificate(files.cert, cert)
  checkTime(files.cert, parsed, now)
  if (!parsed.checkPrivateKey(parseKey(files.key, key)))
    throw wrong(
      `the key in ${files.key} does not belong to the first certificate in ${files.cert}`,
      'give the files of one pair, with the certificate of this server before those that certify it',
    )
  const options: SecureOptions = { cert, key, minVersion: 'TLSv1.2' }
  checkUsable(files.cert, options)
  return {
    options,
    validUntil: parsed.validToDate.getTime(),
    isFor: (host) => (isIP(host) ? parsed.checkIP(host) : parsed.checkHost(host)) !== undefined,
  }
}

async function read(path: string, flag: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (cause) {
    if (hasCode(cause, 'ENOENT', 'ENOTDIR'))
      throw new MemoryError('NOT_FOUND', `there is no file ${path}; check ${flag}`, { cause })
    if (hasCode(cause, 'EACCES', 'EPERM'))
      throw new MemoryError(
        'FORBIDDEN',
        `this user may not read ${path}; let it, for example by a group that owns the file`,
        { cause },
      )
    throw wrong(`${path} cannot be read`, `check ${flag}`, cause)
  }
}

function parseCertificate(path: string, pem: Buffer): X509Certificate {
  try {
    // It would also take the binary form, which a listener does not.
    if (pem.includes(BEGIN)) return new X509Certificate(pem)
  } catch (cause) {
    throw wrong(`${path} has a damaged certificate`, 'get it again', cause)
  }
  throw wrong(`${path} has no certificate in PEM form`, `give a file that has a line ${BEGIN}`)
}

function parseKey(path: string, pem: Buffer): KeyObject {
  if (pem.includes('ENCRYPTED'))
    throw wrong(
      `the key in ${path} is encrypted`,
      'give one without a passphrase, which only this user may read',
    )
  try {
    return createPrivateKey(pem)
  } catch {
    throw wrong(`${path} has no private key in PEM form`, 'check --tls-key')
  }
}

function checkTime(path: string, { validFromDate, validToDate }: X509Certificate, now: number): void {
  if (validToDate.getTime() < now)
    throw wrong(`the certificate in ${path} expired at ${validToDate.toISOString()}`, 'renew it')
  if (validFromDate.getTime() > now)
    throw wrong(
      `the certificate in ${path} is not valid before ${validFromDate.toISOString()}`,
      'check the clock of this machine',
    )
}

/** What OpenSSL refuses for other reasons, such as a key that is too short. */
function checkUsable(path: string, options: SecureOptions): void {
  try {
    createSecureContext(options)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw wrong(`the certificate in ${path} cannot be used (${reason})`, 'make another', cause)
  }
}

function wrong(what: string, remedy: string, cause?: unknown): MemoryError {
  return new MemoryError('INVALID_INPUT', `${what}; ${remedy}`, { cause })
}
