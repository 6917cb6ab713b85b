import type { PruneInput } from '../../core/history/prune.ts'
import type { Config } from './config.ts'
import { lifetimeMs } from './setting-values.ts'

/** What a running server prunes; null: nothing. A server that may not remove anything does not remove history either. */
export function historySettingsOf(config: Config): PruneInput | null {
  const keep = config['history.keep']
  if (keep === 'all' || config['server.no_destructive'] || config['server.read_only']) return null
  return { keepMs: lifetimeMs(keep), keepLast: config['history.keep_last'] }
}
