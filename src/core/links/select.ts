import type { LinkFields, LinksFitting, StoredLink } from '../port/links.ts'

type Shapes = { [F in keyof LinkFields]: (link: StoredLink) => LinkFields[F] }

/** The shapes of a link as functions of the stored one. */
export const linkShapes: Shapes = {
  stored: (link) => link,
  ends({ id, sourceKey, targetKey, origin, place, weight }) {
    return { id, sourceKey, targetKey, origin, place, weight }
  },
}

/** Defines a selection of links. */
export function linkFilter(select: LinksFitting): (link: StoredLink) => boolean {
  const is = <T>(values: readonly T[] = []) => {
    const wanted = new Set(values)
    return (value: T): boolean => wanted.has(value)
  }
  const [isSource, isDocument, hasOwnBlocks] = [
    is(select.of),
    is(select.inDocuments),
    is(select.toOwnBlocksOf),
  ]
  const [isName, isFile, isSectioned] = [is(select.named), is(select.toFiles), is(select.intoFiles)]
  const [isSection, isId] = [is(select.toSections), is(select.toIds)]
  const astray = Map.groupBy(select.astray ?? [], ({ name }) => name)
  return (link) => {
    const { sourceKey, documentId, name, file, section, wantedId, targetKey, asleep } = link
    if (isSource(sourceKey)) return true
    if (asleep) return false
    const leadsElsewhere = (asked: string): boolean =>
      astray.get(asked)?.some(({ target }) => target !== targetKey) ?? false
    return (
      isDocument(documentId) ||
      (wantedId === '' && (isName(name) || leadsElsewhere(name))) ||
      (file !== '' && (isFile(file) || (section === '' ? leadsElsewhere(file) : isSectioned(file)))) ||
      (section !== '' && isSection(section)) ||
      (section.startsWith('^') && file === '' && hasOwnBlocks(documentId)) ||
      (wantedId !== '' && isId(wantedId))
    )
  }
}
