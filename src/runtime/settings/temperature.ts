import type { Config } from './config.ts'
import { durationMs } from './setting-values.ts'

/** The settings of heat, as the parts of the program use them. */
export interface Temperature {
  enabled: boolean
  ratePerHour: number
  accessBoost: number
  treeBoost: number
  cold: number
  hot: number
  notifyBelow: number
  rebound: number
  tickIntervalMs: number
  /** The minimum time between two reports of cold nodes, and the most nodes in one. */
  reportEveryMs: number
  reportLimit: number
}

export function temperatureOf(config: Config): Temperature {
  return {
    enabled: config['temperature.enabled'],
    ratePerHour: config['temperature.decay_rate'],
    accessBoost: config['temperature.access_boost'],
    treeBoost: config['temperature.tree_boost'],
    cold: config['temperature.cold_threshold'],
    hot: config['temperature.hot_threshold'],
    notifyBelow: config['temperature.notify_threshold'],
    rebound: config['temperature.summarize_rebound'],
    tickIntervalMs: durationMs(config['temperature.tick_interval']),
    reportEveryMs: durationMs(config['temperature.cold_notify_ttl']),
    reportLimit: config['temperature.cold_notify_limit'],
  }
}
