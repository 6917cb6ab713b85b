import type { Config } from './config.ts'
import { durationMs } from './setting-values.ts'

/** How a running server keeps its memory in step with the source. */
export interface RescanSettings {
  enabled: boolean
  intervalMs: number
  /** A file that changed less than this ago is left for the next look. */
  settleMs: number
}

export function rescanSettingsOf(config: Config): RescanSettings {
  return {
    enabled: config['rescan.enabled'],
    intervalMs: durationMs(config['rescan.interval']),
    settleMs: durationMs(config['rescan.settle']),
  }
}
