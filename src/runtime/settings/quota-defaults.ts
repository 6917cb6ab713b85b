import type { QuotaDefaults } from '../../core/access/limits.ts'
import type { Config } from './config.ts'
import { sizeBytes } from './setting-values.ts'

export function quotaDefaultsOf(config: Config): QuotaDefaults {
  const bytes = config['quota.bytes']
  return {
    memories: config['quota.memories'],
    bytes: bytes === 'none' ? bytes : sizeBytes(bytes),
    exemptUsers: config['quota.exempt_users'],
  }
}
