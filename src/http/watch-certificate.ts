import { type Certificate, type CertificateFiles, readCertificate } from './certificate.ts'

export interface WatchOptions {
  now: () => number
  everyMs: number
  onRenewed: (certificate: Certificate) => void
  /** New files cannot be used: the certificate before them stays. Called once for each reason. */
  onProblem: (error: unknown) => void
}

/**
 * Reads the files again and again: what renews certificates replaces them in many ways, and they are small. `current` is what was
 * read of them before.
 */
export function watchCertificate(files: CertificateFiles, current: Certificate, options: WatchOptions) {
  let used = current
  let told: string | undefined

  async function check(): Promise<void> {
    try {
      const found = await readCertificate(files, options.now())
      told = undefined
      if (isSame(found, used)) return
      used = found
      options.onRenewed(found)
    } catch (error) {
      const reason = String(error)
      if (reason !== told) options.onProblem(error)
      told = reason
    }
  }

  const timer = setInterval(() => void check(), options.everyMs)
  timer.unref()
  return { check, stop: () => clearInterval(timer) }
}

function isSame({ options: one }: Certificate, { options: other }: Certificate): boolean {
  return one.cert.equals(other.cert) && one.key.equals(other.key)
}
