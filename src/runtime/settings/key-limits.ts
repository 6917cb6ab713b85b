import type { KeyLimits } from '../../core/keys/model.ts'
import type { Config } from './config.ts'
import { sizeBytes } from './setting-values.ts'

export function keyLimitsOf(config: Config): KeyLimits {
  return {
    maxValueBytes: sizeBytes(config['keys.max_value_bytes']),
    maxBlobBytes: sizeBytes(config['keys.max_blob_bytes']),
  }
}
