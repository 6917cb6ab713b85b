import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export interface MadeCertificate {
  cert: string
  key: string
}

export interface CertificateChoice {
  name?: string
  keyArguments?: readonly string[]
  isEncrypted?: boolean
}

const EC_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']

/** A certificate of this machine that certifies itself, and its key: new files of these names in `folder`. */
export function makeCertificate(
  folder: string,
  { name = 'one', keyArguments = EC_KEY, isEncrypted = false }: CertificateChoice = {},
): MadeCertificate {
  const made = { cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) }
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const files = ['-keyout', made.key, '-out', made.cert]
  const options = { stdio: 'pipe' } as const
  execFileSync(
    'openssl',
    ['req', '-x509', ...(isEncrypted ? [] : ['-nodes']), '-days', '2', ...keyArguments, ...subject, ...files],
    options,
  )
  return made
}
