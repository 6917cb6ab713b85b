import { decodeLinks } from '../link.ts'
import type { Link } from '../model.ts'
import type { LinkOrigin, StoredLink } from '../port/links.ts'
import type { LinkChange } from './changes.ts'
import { linkKey, linksByKey, wantedBy } from './wanted.ts'

/** A new link, or one that stays as in `row`. */
export type NewLink = Omit<StoredLink, 'id'>

/** All links of a node after a change, before targets are found. */
export interface NodeLinks {
  rows: StoredLink[]
  added: NewLink[]
}

/**
 * The links of a node after a change: those of its text follow the text, manual ones are asleep while it is removed.
 */
export function linksAfter(
  rows: readonly StoredLink[],
  { before, after }: LinkChange,
  at: number,
): NodeLinks {
  const isGone = after.removedIn !== null
  const manual = rows.filter(({ origin }) => origin === 'manual').map((row) => withSleep(row, isGone))
  const parsed = rows.filter(({ origin }) => origin === 'parsed')
  if (isGone) return { rows: manual, added: [] }
  const isSame = before !== null && before.removedIn === null && before.links === after.links
  if (isSame) return { rows: [...parsed, ...manual], added: [] }
  const { kept, added } = parsedLinks(parsed, after, at)
  return { rows: [...kept, ...manual], added }
}

/** A link that becomes active has no target until it is resolved. */
export function withSleep(row: StoredLink, asleep: boolean): StoredLink {
  return row.asleep === asleep ? row : { ...row, asleep, targetKey: null }
}

/** The links of a text: those already stored keep their targets. */
export function parsedLinks(
  rows: readonly StoredLink[],
  node: { key: number; documentId: number; links: string | null },
  at: number,
): { kept: StoredLink[]; added: NewLink[] } {
  const wanted = linksByKey(decodeLinks(node.links))
  const kept: StoredLink[] = []
  for (const row of rows) {
    const key = storedKey(row)
    const asked = wanted.get(key)
    if (asked) kept.push(withLink(row, asked.link, asked.place))
    wanted.delete(key)
  }
  const added = [...wanted.values()].map(({ link, place }) => newLink(node, 'parsed', { link, place, at }))
  return { kept, added }
}

export function withLink(row: StoredLink, { label, weight }: Link, place: number): StoredLink {
  const isSame = row.label === label && row.weight === weight && row.place === place
  return isSame ? row : { ...row, label, weight, place }
}

export function newLink(
  { key: sourceKey, documentId }: { key: number; documentId: number },
  origin: LinkOrigin,
  { link, place, at }: { link: Link; place: number; at: number },
): NewLink {
  const { targetId: wantedId, ...wanted } = wantedBy(link)
  const { label, weight } = link
  return {
    ...{ sourceKey, documentId, origin, place, label, weight, wantedId, ...wanted },
    ...{ targetKey: null, asleep: false, createdAt: at },
  }
}

/** Identifies it among the links of its node and origin. */
export function storedKey({ label, source, wantedId: id }: StoredLink): string {
  return linkKey({ label, source, id })
}
