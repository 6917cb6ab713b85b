import type { Config } from './config.ts'
import { keyLimitsOf } from './key-limits.ts'
import { sizeBytes } from './setting-values.ts'

const MIB = 1024 * 1024
const USUAL = 4 * MIB
/** The overhead of a call in addition to a value: its key, its tags, the names of its arguments. */
const AROUND_VALUE = MIB

/** The maximum size of an HTTP request: if the tools of keys are served, large enough for the largest value. */
export function maxBodyBytes(config: Config): number {
  const said = config['server.http.max_body_size']
  if (said !== 'auto') return sizeBytes(said)
  const toolsets = config['server.tools']
  const hasKeys = toolsets.includes('keys') || toolsets.includes('all')
  return hasKeys ? Math.max(USUAL, largestValue(config) + AROUND_VALUE) : USUAL
}

/** As JSON: a text of quotes or line breaks takes twice its bytes, Base64 four bytes for three. */
function largestValue(config: Config): number {
  const { maxValueBytes, maxBlobBytes } = keyLimitsOf(config)
  return Math.max(2 * maxValueBytes, 4 * Math.ceil(maxBlobBytes / 3))
}
