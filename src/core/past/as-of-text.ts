import type { MaybePast } from '../port/history.ts'

/** `as of snapshot 12, 2026-01-31 12:00:05Z`: the last line of an answer about the past; none for the present. */
export function asOfLines({ readAt }: MaybePast): string[] {
  if (!readAt) return []
  const time = new Date(readAt.createdAt).toISOString().replace('T', ' ').replace(/\.\d+/, '')
  return [`as of snapshot ${readAt.id}, ${time}`]
}

export function withAsOf(text: string, answer: MaybePast): string {
  return [text, ...asOfLines(answer)].join('\n')
}

/** The same as a member of an answer in JSON. */
export function asOfJson({ readAt }: MaybePast): { as_of?: { snapshot_id: number; created_at: number } } {
  if (!readAt) return {}
  return { as_of: { snapshot_id: readAt.id, created_at: Math.floor(readAt.createdAt / 1000) } }
}
