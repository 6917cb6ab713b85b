import { isAbsolute } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import type { Certificate, CertificateFiles } from '../../http/certificate.ts'
import type { HttpServer } from '../../http/server.ts'
import { reasonFields } from '../../mcp/model/errors.ts'
import type { Log } from '../../util/log.ts'
import type { Config } from '../settings/config.ts'

/** The certificate of a server that speaks TLS itself. */
export interface ServedCertificate {
  certificate: Certificate
  /** Gives the server a certificate that replaced it, without a restart. Returns how to stop. */
  keepCurrent(server: Pick<HttpServer, 'setCertificate'>): () => void
}

/** How soon a renewed certificate is used. */
const CHECK_MS = 60_000

/** Undefined: the settings name none. Throws with what is wrong with the files. */
export async function openCertificate(config: Config, log: Log): Promise<ServedCertificate | undefined> {
  const files = filesIn(config)
  if (files === undefined) return undefined
  const { readCertificate } = await import('../../http/certificate.ts')
  const { watchCertificate } = await import('../../http/watch-certificate.ts')
  const certificate = await readCertificate(files, Date.now())
  const host = publicHostname(config)
  const tell = ({ validUntil, isFor }: Certificate): void => {
    const until = new Date(validUntil).toISOString()
    if (host === undefined || isFor(host)) log.info('serve: certificate', { until })
    else log.warn('serve: the certificate is not for the host of --public-url', { host, until })
  }
  tell(certificate)
  return {
    certificate,
    keepCurrent: ({ setCertificate }) =>
      watchCertificate(files, certificate, {
        now: Date.now,
        everyMs: CHECK_MS,
        onRenewed(renewed) {
          setCertificate(renewed)
          tell(renewed)
        },
        onProblem: (error) =>
          log.warn('serve: the new certificate cannot be used; the old one stays', reasonFields(error)),
      }).stop,
  }
}

function filesIn(config: Config): CertificateFiles | undefined {
  const { 'server.tls.cert': cert, 'server.tls.key': key } = config
  if (cert === '' && key === '') return undefined
  if (cert === '' || key === '')
    throw new MemoryError('INVALID_INPUT', '--tls-cert and --tls-key belong together; give both, or neither')
  // Of a flag they are: in a file or the environment, the meaning must not depend on the current folder.
  if (!isAbsolute(cert) || !isAbsolute(key))
    throw new MemoryError('INVALID_INPUT', 'server.tls.cert and server.tls.key must be absolute paths')
  if (config['server.public_url'].startsWith('http:'))
    throw new MemoryError(
      'INVALID_INPUT',
      '--public-url starts with http:, and with --tls-cert the server speaks only https; correct it, or leave out the certificate',
    )
  return { cert, key }
}

function publicHostname(config: Config): string | undefined {
  const url = config['server.public_url']
  return url === '' ? undefined : new URL(url).hostname.replace(/^\[|\]$/g, '')
}
