import { linkParts } from '../link-parts.ts'
import type { LinkQuestion, LinkReads, StoredLink } from '../port/links.ts'
import { createKnownFacts, type KnownFacts, UNKNOWN } from './known-facts.ts'
import { type Asked, createResolver } from './resolve.ts'

/** The fields of a link that decide its target. */
export type Seeking = Pick<StoredLink, 'label' | 'source' | 'wantedId' | 'documentId'>

/**
 * Finds the targets of links, as long as nothing changes. Most facts for all links are read in one call; links into a
 * document need a second one.
 */
export function createTargetFinder(tx: Pick<LinkReads, 'linkFacts'>, known: KnownFacts = createKnownFacts()) {
  const { targetOf } = createResolver(known.facts)

  /** Undefined: not known yet. */
  function tryTarget(link: Seeking): number | null | undefined {
    try {
      return targetOf(askedBy(link))
    } catch (error) {
      if (error === UNKNOWN) return undefined
      throw error
    }
  }
  return async <L extends Seeking>(links: readonly L[]): Promise<Map<L, number | null>> => {
    const targets = new Map<L, number | null>()
    let left = links
    await known.fetch(tx, firstQuestion(links))
    while (left.length > 0) {
      const unknown: L[] = []
      for (const link of left) {
        const target = tryTarget(link)
        if (target === undefined) unknown.push(link)
        else targets.set(link, target)
      }
      left = unknown
      await known.fetch(tx)
    }
    return targets
  }
}

export type TargetFinder = ReturnType<typeof createTargetFinder>

function askedBy({ label, source, wantedId: targetId, documentId }: Seeking): Asked {
  return { label, source, targetId, documentId }
}

/** All names by which links of any form may be found. */
function firstQuestion(links: readonly Seeking[]): LinkQuestion {
  const byLabel = links.filter(({ wantedId }) => wantedId === '')
  const parts = byLabel.map(linkParts)
  const files = parts.map(({ file }) => file)
  const names = parts.map(({ name }) => name)
  return {
    nodes: links.flatMap(({ wantedId }) => (wantedId === '' ? [] : [wantedId])),
    documentsNamed: [...files, ...names],
    headingsNamed: [...names, ...parts.flatMap(({ file, section }) => (section === '' ? [] : [file]))],
    places: byLabel.map(({ documentId }) => documentId),
  }
}
