import { labelKey, linkParts } from '../link-parts.ts'
import type { Link } from '../model.ts'

/** The stored names of a link by which it is found after a change; an id overrides them. */
export interface Wanted {
  name: string
  source: string
  targetId: string
  file: string
  section: string
}

export function wantedBy({ label, source, id }: Pick<Link, 'label' | 'source' | 'id'>): Wanted {
  if (id !== '') return { name: '', source: '', targetId: id, file: '', section: '' }
  const { name, file, section } = linkParts({ label, source })
  return { name, source, targetId: '', file, section }
}

/** Identifies a link among those of one node and origin. */
export function linkKey({ label, source, id }: Pick<Link, 'label' | 'source' | 'id'>): string {
  return JSON.stringify(id === '' ? [labelKey(label), source] : [id])
}

/** The links of a node by identity; of equal ones the last counts. */
export function linksByKey<L extends Link>(links: readonly L[]): Map<string, { link: L; place: number }> {
  return new Map(links.map((link, place) => [linkKey(link), { link, place }]))
}
