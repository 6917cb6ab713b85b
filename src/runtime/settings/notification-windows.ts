import {
  CONCERNS,
  type Concern,
  isMemoryGroup,
  type MemoryGroup,
} from '../../mcp/subscriptions/subscribable.ts'
import type { Config } from './config.ts'
import { durationMs } from './setting-values.ts'

/** Floors for resources that change often, unless configured for the resource itself. */
const FLOORS_MS: Partial<Record<Concern, number>> = { logs: 1000, temperature: 2000 }

export interface NotificationWindows {
  windows: Record<Concern, number>
  maxWaitMs: number
}

/** How long changes are collected before a notification: the window of the resource, else the one for all, but not below the floor. */
export function notificationWindows(config: Config): NotificationWindows {
  const windows = CONCERNS.map((name) => [name, windowOf(config, name)])
  return {
    windows: Object.fromEntries(windows) as NotificationWindows['windows'],
    maxWaitMs: durationMs(config['server.resources.max_wait']),
  }
}

function windowOf(config: Config, name: Concern): number {
  const override = config[`server.resources.overrides.${settingOf(name)}`]
  if (override !== 'none') return durationMs(override)
  return Math.max(durationMs(config['server.resources.debounce']), FLOORS_MS[name] ?? 0)
}

/** The log has the same rows as the snapshots. */
function settingOf(name: Concern): Exclude<Concern, MemoryGroup | 'log'> | 'memory' {
  if (isMemoryGroup(name)) return 'memory'
  return name === 'log' ? 'snapshots' : name
}
