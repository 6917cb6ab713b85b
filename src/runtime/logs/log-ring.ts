import type { LogsEnvelope } from '../../mcp/model/observer.ts'
import type { LogRecord } from './log-lines.ts'

/** The newest `size` records, in memory only. */
export function createRing(size: number) {
  const slots: LogRecord[] = []
  /** Where the oldest one is, once all slots are taken. */
  let oldest = 0
  let dropped = 0

  return {
    push(record: LogRecord): void {
      if (slots.length < size) {
        slots.push(record)
        return
      }
      slots[oldest] = record
      oldest = (oldest + 1) % size
      dropped++
    },
    envelope(): LogsEnvelope {
      return { records: [...slots.slice(oldest), ...slots.slice(0, oldest)], dropped }
    },
  }
}
