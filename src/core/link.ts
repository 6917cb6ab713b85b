import { truncateLabel } from './label.ts'
import type { Link } from './model.ts'
import type { Redact } from './redact.ts'

export const DEFAULT_WEIGHT = 1

/** The lookup form of a label: case and extra white space do not count. */
export function linkName(label: string): string {
  return truncateLabel(label).normalize('NFC').toLowerCase()
}

/** Links as stored in a node's state: a canonical text, null for none. */
export function encodeLinks(links: readonly Link[]): string | null {
  if (links.length === 0) return null
  return JSON.stringify(links.map(({ label, weight, source, id }) => [label, weight, source, id]))
}

export function decodeLinks(encoded: string | null): Link[] {
  if (encoded === null) return []
  const rows = JSON.parse(encoded) as [string, number, string, string][]
  return rows.map(([label, weight, source, id]) => ({ label, weight, source, id }))
}

/** Redacts every part of a link that an author wrote. */
export function redactLink<L extends Link>(link: L, redact: Redact): L {
  return { ...link, label: redact(link.label), source: redact(link.source), id: redact(link.id) }
}
