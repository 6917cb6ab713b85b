import type { Log, LogFields } from '../../src/util/log.ts'

/** A log that only remembers its warnings. */
export function collectWarnings(): Log & { warnings: [string, LogFields | undefined][] } {
  const warnings: [string, LogFields | undefined][] = []
  const nothing = (): void => undefined
  const warn = (message: string, fields?: LogFields): void => void warnings.push([message, fields])
  const log = { warnings, debug: nothing, info: nothing, warn, error: nothing, of: () => log }
  return log
}
