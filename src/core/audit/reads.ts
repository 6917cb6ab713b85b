import type { AuditEvent } from './events.ts'

/** The events of reading: a search or a list may be about nothing in particular. What was searched for is content. */
type ReadEvent =
  | 'memory_recalled'
  | 'memory_listed'
  | 'memory_searched'
  | 'context_summarized'
  | 'history_read'

/** `about`: what was there, never what a client only asked for: that may be any text. */
export function readEvent(
  event: ReadEvent,
  about: { [kind in 'key' | 'node' | 'file' | 'snapshot']?: string | undefined } = {},
): AuditEvent {
  const [[subjectKind, subject] = ['', '']] = Object.entries(about).filter(([, name]) => name !== undefined)
  return { event, subjectKind, subject: subject ?? '' }
}
