import { fileLink } from '../../core/link-file.ts'
import type { Block, Link } from '../../core/model.ts'

const SHOWN = /\[\[([^[\]\n]*)\]\]|\]\(<?([^)>\s]+)/g

/** Gives each link to the piece that shows it, in order; to the first piece when none does. */
export function shareLinks(pieces: readonly Block[], links: readonly Link[]): void {
  const [first] = pieces
  if (!first || links.length === 0) return
  const places = placesOf(pieces)
  for (const link of links) {
    const piece = places.get(link.label)?.next().value ?? first
    piece.links ??= []
    piece.links.push(link)
  }
}

/** The pieces by the labels they show, once for each time they do. */
function placesOf(pieces: readonly Block[]): Map<string, Iterator<Block, undefined>> {
  const places = new Map<string, Block[]>()
  for (const piece of pieces) {
    for (const [, name, destination = ''] of piece.text.matchAll(SHOWN)) {
      const label = name ?? fileLink(destination)?.label ?? ''
      const shown = places.get(label)
      if (shown) shown.push(piece)
      else places.set(label, [piece])
    }
  }
  return new Map([...places].map(([label, shown]) => [label, shown.values()]))
}
