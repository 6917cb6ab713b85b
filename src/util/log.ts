export const LOG_LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Plain data: ids, counts, sizes, times. Never content. */
export type LogFields = Record<string, unknown>

/** Messages are constant; variable data goes into the fields. */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** The same log, with entries that belong to a session. */
  of(sessionId: string): Log
}
