import type { ReadEvent } from './event-names.ts'
import type { AuditEvent } from './events.ts'

/**
 * `about`: what was there, never what a client only asked for: that may be any text. A search or a list may be about nothing in
 * particular, and what was searched for is content.
 */
export function readEvent(
  event: ReadEvent,
  about: { [kind in 'key' | 'node' | 'file' | 'snapshot']?: string | undefined } = {},
): AuditEvent {
  const [[subjectKind, subject] = ['', '']] = Object.entries(about).filter(([, name]) => name !== undefined)
  return { event, subjectKind, subject: subject ?? '' }
}
